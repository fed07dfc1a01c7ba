/** Access to the images of this node, according to its records. */
import { ImageAccess } from '../images/image-access.ts';
import { PullRecords } from '../images/pull-records.ts';
import { verificationPolicyOf } from '../config/verification-policy.ts';
import type { RealKubeletOptions } from '../config/real-kubelet-options.ts';
import type { CommonParts } from './common-parts.ts';

/** @throws Error if records can't be kept, and the runtime's errors */
export async function accessToImages(
  { settings }: RealKubeletOptions,
  { environment: { cri, directories }, clock, onError }: CommonParts,
): Promise<ImageAccess> {
  const records = new PullRecords(directories.root, clock);
  const access = new ImageAccess(records, verificationPolicyOf(settings), onError);
  await access.start(async () => (await cri.listImages({})).images);
  return access;
}
