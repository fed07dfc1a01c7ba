/** Decodes the text of a kubeconfig file to its known fields, with upstream's error messages. */
import { goQuote, readYaml } from '@coxswain/apimachinery';
import { decodeGo, type Shape, type StructShape } from '@coxswain/apimachinery/go-decode.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import { typeMetaFailure } from './type-meta.ts';

const struct = (name: string, fields: Readonly<Record<string, Shape>>): StructShape => ({
  struct: `v1.${name}`,
  fields,
});

const named = (name: string, fields: Readonly<Record<string, Shape>>): Shape => ({
  list: struct(name, { name: 'string', ...fields }),
});

const strings: Shape = { list: 'string' };
const extensions = named('NamedExtension', { extension: 'any' });

const cluster = struct('Cluster', {
  server: 'string',
  'tls-server-name': 'string',
  'insecure-skip-tls-verify': 'bool',
  'certificate-authority': 'string',
  'certificate-authority-data': 'bytes',
  'proxy-url': 'string',
  'disable-compression': 'bool',
  extensions,
});

const exec = struct('ExecConfig', {
  command: 'string',
  args: strings,
  env: named('ExecEnvVar', { value: 'string' }),
  apiVersion: 'string',
  installHint: 'string',
  provideClusterInfo: 'bool',
  interactiveMode: 'string',
});

const user = struct('AuthInfo', {
  'client-certificate': 'string',
  'client-certificate-data': 'bytes',
  'client-key': 'string',
  'client-key-data': 'bytes',
  token: 'string',
  tokenFile: 'string',
  as: 'string',
  'as-uid': 'string',
  'as-groups': strings,
  'as-user-extra': { map: strings },
  username: 'string',
  password: 'string',
  'auth-provider': struct('AuthProviderConfig', { name: 'string', config: { map: 'string' } }),
  exec,
  extensions,
});

const context = struct('Context', { cluster: 'string', user: 'string', namespace: 'string', extensions });

const config = struct('Config', {
  kind: 'string',
  apiVersion: 'string',
  preferences: struct('Preferences', { colors: 'bool', extensions }),
  clusters: named('NamedCluster', { cluster }),
  users: named('NamedAuthInfo', { user }),
  contexts: named('NamedContext', { context }),
  'current-context': 'string',
  extensions,
});

/** Unknown fields are dropped. @throws Error for invalid YAML, another kind, or a value of the wrong type */
export function decodeKubeconfig(text: string): Kubeconfig {
  const content = readYaml(text);
  checkKind(content);
  return decodeGo(content ?? {}, config, { caseSensitive: true }) as Kubeconfig;
}

/** Only `v1` `Config` is accepted; it is also assumed if not specified. */
function checkKind(content: unknown): void {
  const failure = typeMetaFailure(content);
  if (failure !== undefined) throw new Error(failure);
  const { apiVersion = '', kind = '' } = (content ?? {}) as Kubeconfig;
  if ((apiVersion === '' || apiVersion === 'v1') && (kind === '' || kind === 'Config')) return;
  const known = `no kind ${goQuote(kind || 'Config')} is registered for version ${goQuote(apiVersion || 'v1')}`;
  throw new Error(`${known} in scheme "pkg/runtime/scheme.go:111"`);
}
