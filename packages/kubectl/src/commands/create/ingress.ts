import { string, stringArray } from '@coxswain/cobra';
import { command, nameFromArguments } from '../../command.ts';
import { createFlags, creating, filled, targets } from './create-object.ts';

export const ingress = command({
  use: 'ingress NAME --rule=host/path=service:port[,tls[=secret]] ',
  aliases: ['ing'],
  long: 'Create an ingress.',
  example: `  # One host, all paths
  kubectl create ingress web --class=nginx --rule="web.example.com/*=web:80"

  # With TLS, and a service for all else
  kubectl create ingress web --rule="web.example.com/*=web:443,tls=certificate" --default-backend=other:80`,
  disableFlagsInUseLine: true,
  flags: {
    ...createFlags,
    class: string({ usage: 'The ingress class to use.' }),
    rule: stringArray({
      usage:
        'A rule in the format host/path=service:port[,tls=secret]. A path that ends in * matches by prefix.',
    }),
    annotation: stringArray({ usage: 'An annotation as KEY=VALUE.' }),
    defaultBackend: string({ usage: 'Default service for the ingress, as SERVICE:PORT.' }),
  },
  async run(invocation) {
    const { flags } = invocation;
    const name = nameFromArguments(invocation);
    const create = await creating(invocation, flags);
    check(flags);
    const annotations = Object.fromEntries(flags.annotation.map((pair) => splitOnce(pair, '=')));
    await create({
      target: targets.ingress,
      name,
      metadata: filled({ annotations }),
      fields: {
        spec: {
          ...(flags.class === '' ? {} : { ingressClassName: flags.class }),
          ...(flags.defaultBackend === '' ? {} : { defaultBackend: backend(flags.defaultBackend) }),
          ...filled({ tls: tlsOf(flags.rule), rules: rulesOf(flags.rule) }),
        },
        status: { loadBalancer: {} },
      },
      failure: 'failed to create ingress: ',
    });
  },
});

interface IngressFlags {
  readonly rule: readonly string[];
  readonly annotation: readonly string[];
  readonly defaultBackend: string;
}

const rulePattern =
  /^(?<host>[\w*\-.]*)?(?<path>\/[\w%\-.~!$&'()+;=@/]*[*]?)=(?<svcname>[\w-]+):(?<svcport>[\w-]+)(?:,(?<tls>tls)(?:=(?<secret>[\w-]+)?)?)?$/;

function check({ rule, annotation, defaultBackend }: IngressFlags): void {
  if (defaultBackend === '' && rule.length === 0) {
    throw new Error(
      'not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)',
    );
  }
  for (const one of rule) {
    if (!rulePattern.test(one)) {
      throw new Error(
        `rule ${one} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`,
      );
    }
  }
  for (const one of annotation) {
    if (one.split('=').length !== 2)
      throw new Error(`annotation ${one} is invalid and should be in format key=[value]`);
  }
  if (defaultBackend !== '' && defaultBackend.split(':').length !== 2) {
    throw new Error('default-backend should be in format servicename:serviceport');
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function backend(text: string) {
  const [name, port] = splitOnce(text, ':');
  return { service: { name, port: /^-?\d+$/.test(port) ? { number: Number(port) } : { name: port } } };
}

interface IngressRule {
  readonly host?: string;
  readonly http: { readonly paths: unknown[] };
}

/** Groups the paths by host. */
function rulesOf(rules: readonly string[]): IngressRule[] {
  const made: IngressRule[] = [];
  for (const rule of rules) {
    const [host, rest] = splitOnce(rule.split(',')[0] ?? '', '/');
    const [pathText, service] = splitOnce(rest, '=');
    const isPrefix = pathText.endsWith('*');
    const path = `/${isPrefix ? pathText.slice(0, -1) : pathText}`;
    const entry = { path, pathType: isPrefix ? 'Prefix' : 'Exact', backend: backend(service) };
    const known = made.find((one) => (one.host ?? '') === host);
    if (known === undefined) made.push({ ...(host === '' ? {} : { host }), http: { paths: [entry] } });
    else known.http.paths.push(entry);
  }
  return made;
}

/** Groups the hosts by Secret; each host is used once. */
function tlsOf(rules: readonly string[]): { hosts?: string[]; secretName?: string }[] {
  const made: { hosts?: string[]; secretName?: string }[] = [];
  const seen = new Set<string>();
  for (const rule of rules) {
    const [, tls] = rule.split(',');
    const [host] = splitOnce(rule, '/');
    if (tls === undefined || seen.has(host)) continue;
    seen.add(host);
    const [, secretName] = splitOnce(tls, '=');
    const known = made.find((one) => (one.secretName ?? '') === secretName);
    if (known !== undefined) known.hosts = [...(known.hosts ?? []), host];
    else if (host !== '' || secretName !== '')
      made.push(filled({ hosts: host === '' ? [] : [host], secretName }));
  }
  return made;
}
