/** Reads templates of recycler pods from files. */
import { readFileSync } from 'node:fs';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import type { Pod } from '../objects.ts';
import type { RecyclerSettings } from '../settings.ts';

/**
 * Empty without a file.
 * @throws Error for a file that does not contain a pod with a volume
 */
export function readPodTemplate(file: string): Pick<RecyclerSettings, 'podTemplate'> {
  if (file === '') return {};
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`failed to read file path ${file}: ${messageOf(error)}`, { cause: error });
  }
  if (text === '') throw new Error(`file was empty: ${file}`);
  const podTemplate = readYaml(text) as unknown as Pod | undefined;
  if (podTemplate?.kind !== 'Pod' || podTemplate.apiVersion !== 'v1')
    throw new Error(`failed decoding file: ${file} holds no Pod of v1`);
  if (!podTemplate.spec?.volumes?.length) throw new Error('does not contain any volume(s)');
  return { podTemplate };
}
