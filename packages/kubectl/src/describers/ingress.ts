import type * as core from '@coxswain/api/core/v1/index.ts';
import type * as networking from '@coxswain/api/networking/v1/index.ts';
import { StatusError, type Live } from '@coxswain/apimachinery';
import type { DescribeContext, Describer } from './describer.ts';
import { endpointsText, slicesOf, slicesPath, type EndpointSlice } from './endpoints-text.ts';
import { describeEvents } from './events.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { DescriptionText } from './text.ts';

type Ingress = Live<networking.Ingress>;

type Backend = Live<networking.IngressBackend>;

type Service = Live<core.Service>;

export const describeIngress: Describer = async (object, context) => {
  const { metadata, spec = {}, status = {} }: Ingress = object;
  const events = await context.events(object);
  const backend = (of: Backend): Promise<string> => backendText(of, metadata.namespace ?? '', context);
  const standard = spec.defaultBackend === undefined ? '<default>' : await backend(spec.defaultBackend);
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  describeLabels(text, 'Labels', metadata.labels);
  text.field(0, 'Namespace', metadata.namespace);
  text.field(0, 'Address', addressText(status));
  text.field(0, 'Ingress Class', spec.ingressClassName ?? '<none>');
  text.field(0, 'Default backend', standard);
  if (spec.tls?.length) describeTls(text, spec.tls);
  text.line(0, 'Rules:');
  text.line(1, 'Host\tPath\tBackends');
  text.line(1, '----\t----\t--------');
  const rules = (spec.rules ?? []).filter(({ http }) => http !== undefined);
  for (const { host, http } of rules) {
    text.line(1, `${host || '*'}\t`);
    for (const path of http?.paths ?? []) {
      text.line(2, `\t${path.path ?? ''} \t${await backend(path.backend!)}`);
    }
  }
  if (rules.length === 0) text.line(1, `*\t*\t${standard}`);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  describeEvents(text, events, context.nowMs);
  return text.toString();
};

function describeTls(
  text: DescriptionText,
  certificates: readonly { readonly hosts?: readonly string[]; readonly secretName?: string }[],
): void {
  text.line(0, 'TLS:');
  for (const { hosts = [], secretName } of certificates) {
    text.line(1, `${secretName ? `${secretName} terminates` : 'SNI routes'} ${hosts.join(',')}`);
  }
}

const addressText = ({ loadBalancer }: NonNullable<Ingress['status']>): string => {
  const all = (loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
  return [...new Set(all.filter((address) => address !== ''))].sort().join(',');
};

/** `web:80 (10.0.0.1:8080)`, or why the addresses aren't known. */
async function backendText(backend: Backend, namespace: string, context: DescribeContext): Promise<string> {
  const { service, resource } = backend;
  if (service !== undefined) {
    const { number, name } = service.port ?? {};
    const text = `${service.name}:${number || (name ?? '')}`;
    try {
      // What the client refuses without asking.
      if (service.name === '') return `${text} (<error: resource name may not be empty>)`;
      const slices = await context.list<EndpointSlice>(slicesPath(namespace), slicesOf(service.name));
      const found = await context.get<Service>(
        `/api/v1/namespaces/${namespace}/services/${encodeURIComponent(service.name ?? '')}`,
      );
      const port = (found.spec?.ports ?? []).findLast((each) =>
        number ? each.port === number : name !== undefined && name !== '' && each.name === name,
      );
      return `${text} (${endpointsText(slices, port?.name ?? '')})`;
    } catch (error) {
      if (error instanceof StatusError) return `${text} (<error: ${error.message}>)`;
      throw error;
    }
  }
  if (resource === undefined) return '';
  return `APIGroup: ${resource.apiGroup ?? '<none>'}, Kind: ${resource.kind}, Name: ${resource.name}`;
}
