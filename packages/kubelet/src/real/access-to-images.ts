/** Who may use the images of this node, as its records have it. */
import { ImageAccess } from '../images/image-access.ts';
import { PullRecords } from '../images/pull-records.ts';
import { verificationPolicyOf } from '../config/verification-policy.ts';
import type { RealKubeletOptions } from '../config/real-kubelet-options.ts';
import type { CommonParts } from './common-parts.ts';

/** @throws Error when there can be no records, and what the runtime answers */
export async function accessToImages(
  { settings }: RealKubeletOptions,
  { environment: { cri, folders }, clock, onError }: CommonParts,
): Promise<ImageAccess> {
  const records = new PullRecords(folders.root, clock);
  const access = new ImageAccess(records, verificationPolicyOf(settings), onError);
  await access.start(async () => (await cri.listImages({})).images);
  return access;
}
