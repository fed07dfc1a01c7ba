/** Reads kubelet settings for this machine from a file; the others are set by the cluster. */
import { readFile } from 'node:fs/promises';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { KubeletSettings } from '@coxswain/kubelet/config/kubelet-configuration.ts';

export const kubeletConfigUsage =
  'File with a KubeletConfiguration (kubelet.config.k8s.io/v1beta1). Its settings override those of the cluster.';

/** Returns only the settings that the file contains; none without a file. @throws Error if the file can't be used */
export async function kubeletSettingsIn(file: string): Promise<Partial<KubeletSettings>> {
  if (file === '') return {};
  const [{ readYaml }, { readKubeletConfiguration }] = await Promise.all([
    import('@coxswain/apimachinery/yaml/read.ts'),
    import('@coxswain/kubelet/config/kubelet-configuration.ts'),
  ]);
  try {
    const document = readYaml(await readFile(file, 'utf8'));
    const all = readKubeletConfiguration(document);
    const named = new Set([...Object.keys(document as object), ...followers]);
    return Object.fromEntries(Object.entries(all).filter(([name]) => named.has(name)));
  } catch (error) {
    const why = messageOf(error);
    throw new Error(`failed to load kubelet config file, path: ${file}, error: ${why}`, { cause: error });
  }
}

/** Settings whose default follows from others that a file may contain. */
const followers = ['nodeStatusReportFrequency'];
