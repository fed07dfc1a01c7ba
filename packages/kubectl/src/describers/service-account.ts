import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { DescriptionText } from './text.ts';

type ServiceAccount = Live<core.ServiceAccount>;

export const describeServiceAccount: Describer = async (object, context) => {
  const { metadata, imagePullSecrets = [] }: ServiceAccount = object;
  const events = await context.events(object);
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Namespace', metadata.namespace);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  describeNames(text, 'Image pull secrets', imagePullSecrets);
  describeEvents(text, events, context.nowMs);
  return text.toString();
};

function describeNames(
  text: DescriptionText,
  title: string,
  named: readonly { readonly name?: string }[],
): void {
  if (named.length === 0) return text.line(0, `${title}:\t<none>`);
  named.forEach(({ name }, index) => text.line(0, `${index === 0 ? `${title}:` : ''}\t${name}`));
}
