import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { DescriptionText } from './text.ts';

type ConfigMap = Live<core.ConfigMap>;

export const describeConfigMap: Describer = async (object, context) => {
  const { metadata, data = {}, binaryData = {} }: ConfigMap = object;
  const events = await context.events(object);
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Namespace', metadata.namespace);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.line(0, '\nData\n====');
  for (const key of Object.keys(data).sort())
    text.line(0, `${key}:\n----\n${data[key]}\n\n`.replace(/\n$/, ''));
  text.line(0, '\nBinaryData\n====');
  for (const key of Object.keys(binaryData).sort()) {
    text.line(0, `${key}: ${bytesOf(binaryData[key] ?? '')} bytes`);
  }
  text.line(0, '');
  describeEvents(text, events, context.nowMs);
  return text.toString();
};

/** The number of bytes that a base64 text encodes. */
export const bytesOf = (base64: string): number => Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
