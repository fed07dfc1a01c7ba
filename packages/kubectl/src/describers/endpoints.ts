import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { DescriptionText, orNone } from './text.ts';

type Endpoints = Live<core.Endpoints>;

interface Subset {
  readonly addresses?: readonly { readonly ip: string }[];
  readonly notReadyAddresses?: readonly { readonly ip: string }[];
  readonly ports?: readonly { readonly name?: string; readonly port: number; readonly protocol?: string }[];
}

export const describeEndpoints: Describer = async (object, context) => {
  const { metadata, subsets }: Endpoints = object;
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Namespace', metadata.namespace);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.line(0, 'Subsets:');
  for (const subset of subsets ?? []) describeSubset(text, subset);
  describeEvents(text, await context.events(object), context.nowMs);
  return text.toString();
};

function describeSubset(text: DescriptionText, subset: Subset): void {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
  text.field(1, 'Addresses', orNone(addresses.map(({ ip }) => ip).join(',')));
  text.field(1, 'NotReadyAddresses', orNone(notReadyAddresses.map(({ ip }) => ip).join(',')));
  if (ports.length > 0) {
    text.line(1, 'Ports:');
    text.line(2, 'Name\tPort\tProtocol');
    text.line(2, '----\t----\t--------');
    for (const { name, port, protocol } of ports) {
      text.line(2, `${name || '<unset>'}\t${port}\t${protocol ?? ''}`);
    }
  }
  text.line(0, '');
}
