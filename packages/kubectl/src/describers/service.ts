import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import type { Describer } from './describer.ts';
import { endpointsText, slicesOf, slicesPath, type EndpointSlice } from './endpoints-text.ts';
import { describeEvents } from './events.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { formatLabels } from './selector.ts';
import { DescriptionText } from './text.ts';

type Service = Live<core.Service>;

type ServicePort = Live<core.ServicePort>;

export const describeService: Describer = async (object, context) => {
  const { metadata, spec = {}, status = {} }: Service = object;
  const slices = await context.list<EndpointSlice>(slicesPath(metadata.namespace), slicesOf(metadata.name));
  const events = await context.events(object);
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Namespace', metadata.namespace);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.field(0, 'Selector', formatLabels(spec.selector));
  text.field(0, 'Type', spec.type);
  text.optional(0, 'IP Family Policy', spec.ipFamilyPolicy);
  text.field(0, 'IP Families', listOrNone(spec.ipFamilies));
  text.field(0, 'IP', spec.clusterIP);
  text.field(0, 'IPs', listOrNone(spec.clusterIPs));
  if (spec.externalIPs?.length) text.field(0, 'External IPs', spec.externalIPs.join(','));
  text.optional(0, 'Desired LoadBalancer IP', spec.loadBalancerIP);
  text.optional(0, 'External Name', spec.externalName);
  const { ingress = [] } = status.loadBalancer ?? {};
  if (ingress.length > 0) text.field(0, 'LoadBalancer Ingress', ingressText(ingress));
  for (const port of spec.ports ?? []) describePort(text, port, slices);
  text.field(0, 'Session Affinity', spec.sessionAffinity);
  text.optional(0, 'External Traffic Policy', spec.externalTrafficPolicy);
  text.optional(0, 'Internal Traffic Policy', spec.internalTrafficPolicy);
  if (spec.healthCheckNodePort) text.field(0, 'HealthCheck NodePort', spec.healthCheckNodePort);
  if (spec.loadBalancerSourceRanges?.length) {
    text.field(0, 'LoadBalancer Source Ranges', spec.loadBalancerSourceRanges.join(','));
  }
  if (spec.trafficDistribution !== undefined) text.field(0, 'Traffic Distribution', spec.trafficDistribution);
  describeEvents(text, events, context.nowMs);
  return text.toString();
};

const listOrNone = (texts: readonly string[] = []): string =>
  texts.length === 0 ? '<none>' : texts.join(',');

const ingressText = (
  ingress: readonly { readonly ip?: string; readonly hostname?: string; readonly ipMode?: string }[],
): string =>
  ingress
    .map(({ ip, hostname, ipMode }) => (ip ? `${ip}${ipMode ? ` (${ipMode})` : ''}` : (hostname ?? '')))
    .join(', ');

function describePort(text: DescriptionText, port: ServicePort, slices: readonly EndpointSlice[]): void {
  const { protocol = 'TCP' } = port;
  const name = port.name || '<unset>';
  text.line(0, `Port:\t${name}\t${port.port}/${protocol}`);
  text.field(0, 'TargetPort', `${port.targetPort ?? 0}/${protocol}`);
  text.optional(0, 'AppProtocol', port.appProtocol);
  if (port.nodePort) text.line(0, `NodePort:\t${name}\t${port.nodePort}/${protocol}`);
  text.field(0, 'Endpoints', endpointsText(slices, port.name ?? ''));
}
