import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import { bytesOf } from './config-map.ts';
import type { Describer } from './describer.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { DescriptionText } from './text.ts';

type Secret = Live<core.Secret>;

/** Values are hidden, except for service account tokens, which users want to copy. */
export const describeSecret: Describer = async (object) => {
  const { metadata, type, data = {} }: Secret = object;
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Namespace', metadata.namespace);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.line(0, `\nType:\t${type}\n\nData\n====`);
  for (const key of Object.keys(data).sort()) {
    const value = data[key] ?? '';
    const shown = type === 'kubernetes.io/service-account-token' && key === 'token';
    text.field(0, key, shown ? Buffer.from(value, 'base64').toString('utf8') : `${bytesOf(value)} bytes`);
  }
  return text.toString();
};
