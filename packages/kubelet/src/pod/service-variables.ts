/** Environment variables by which containers find services that existed before them. */
import type { Service } from '@coxswain/api/core/v1/service.ts';

/** Includes services of the pod's namespace if enabled, and always the API server. */
export function serviceVariables(
  services: readonly Service[],
  namespace: string,
  enableServiceLinks: boolean,
): Map<string, string> {
  const chosen = new Map<string, Service>();
  for (const service of services) {
    const { name = '', namespace: home = '' } = service.metadata ?? {};
    if (!hasClusterIp(service)) continue;
    if (home === 'default' && name === 'kubernetes') {
      if (!chosen.has(name)) chosen.set(name, service);
    } else if (home === namespace && enableServiceLinks) chosen.set(name, service);
  }
  return new Map([...chosen].flatMap(([name, service]) => variablesOf(name, service)));
}

const hasClusterIp = ({ spec }: Service): boolean =>
  Boolean(spec?.clusterIP) && spec.clusterIP !== 'None' && spec.type !== 'ExternalName';

const variableName = (name: string): string => name.toUpperCase().replaceAll('-', '_');

function variablesOf(serviceName: string, { spec }: Service): [string, string][] {
  const prefix = variableName(serviceName);
  const address = spec?.clusterIP ?? '';
  const ports = spec?.ports ?? [];
  const variables: [string, string][] = [
    [`${prefix}_SERVICE_HOST`, address],
    [`${prefix}_SERVICE_PORT`, String(ports[0]?.port ?? '')],
  ];
  for (const { name, port } of ports)
    if (name) variables.push([`${prefix}_SERVICE_PORT_${variableName(name)}`, String(port)]);
  ports.forEach(({ port, protocol = 'TCP' }, index) => {
    const host = address.includes(':') ? `[${address}]` : address;
    const url = `${protocol.toLowerCase()}://${host}:${port}`;
    const link = `${prefix}_PORT_${port}_${protocol.toUpperCase()}`;
    if (index === 0) variables.push([`${prefix}_PORT`, url]);
    variables.push(
      [link, url],
      [`${link}_PROTO`, protocol.toLowerCase()],
      [`${link}_PORT`, String(port)],
      [`${link}_ADDR`, address],
    );
  });
  return variables;
}
