import type { Describer } from './describer.ts';
import type { EndpointSlice, SliceEndpoint } from './endpoints-text.ts';
import { describeEvents } from './events.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { DescriptionText, orNone } from './text.ts';

export const describeEndpointSlice: Describer = async (object, context) => {
  const slice: EndpointSlice = object;
  const { metadata } = slice;
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Namespace', metadata.namespace);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.field(0, 'AddressType', slice.addressType);
  describePorts(text, slice.ports ?? []);
  describeEndpoints(text, slice.endpoints ?? []);
  describeEvents(text, await context.events(object), context.nowMs);
  return text.toString();
};

function describePorts(text: DescriptionText, ports: NonNullable<EndpointSlice['ports']>): void {
  if (ports.length === 0) return text.line(0, 'Ports: <unset>');
  text.line(0, 'Ports:');
  text.line(1, 'Name\tPort\tProtocol');
  text.line(1, '----\t----\t--------');
  for (const { name, port, protocol } of ports) {
    text.line(1, `${name || unset}\t${port ?? unset}\t${protocol ?? ''}`);
  }
}

function describeEndpoints(text: DescriptionText, endpoints: readonly SliceEndpoint[]): void {
  if (endpoints.length === 0) return text.line(0, 'Endpoints: <none>');
  text.line(0, 'Endpoints:');
  for (const { addresses, conditions, hostname, targetRef, nodeName, zone } of endpoints) {
    text.field(1, '- Addresses', orNone((addresses ?? []).join(', ')));
    text.line(2, 'Conditions:');
    text.field(3, 'Ready', conditions?.ready ?? unset);
    text.field(2, 'Hostname', hostname ?? unset);
    if (targetRef) text.field(2, 'TargetRef', `${targetRef.kind ?? ''}/${targetRef.name ?? ''}`);
    text.field(2, 'NodeName', nodeName ?? unset);
    text.field(2, 'Zone', zone ?? unset);
  }
}

const unset = '<unset>';
