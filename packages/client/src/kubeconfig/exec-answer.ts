/**
 * Decodes the output of a credential plugin, with the error messages of upstream, which decodes it as any of its
 * objects.
 */
import { epochMsOf, goQuote, readYaml } from '@coxswain/apimachinery';
import { decodeGo, type StructShape } from '@coxswain/apimachinery/go-decode.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { parseJson } from '@coxswain/schema/json/parsed.ts';
import { typeMetaFailure } from './type-meta.ts';

/** The relevant fields of `ExecCredential.status`; times in milliseconds since the epoch. */
export interface ExecStatus {
  readonly token?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyData?: string;
  readonly expiresMs?: number;
}

const group = 'client.authentication.k8s.io';
const known = ['v1', 'v1beta1'];
/** The version that upstream assumes if none is specified. */
const internal = '__internal';

/**
 * @param apiVersion the version in the kubeconfig
 * @throws Error for output that is not an ExecCredential of this version, or has no status
 */
export function execStatusIn(output: string, apiVersion: string): ExecStatus {
  let status: (ExecStatus & { readonly expirationTimestamp?: string }) | undefined;
  let given: string;
  try {
    const answer = textRead(output);
    given = checkedVersion(answer);
    const decoded = decodeGo(answer ?? {}, shapeOf(given), { caseSensitive: true });
    status = (decoded as { readonly status?: ExecStatus }).status;
    if (status?.expirationTimestamp !== undefined)
      status = { ...status, expiresMs: epochMsOf(status.expirationTimestamp) };
  } catch (error) {
    throw new Error(`decoding stdout: ${messageOf(error)}`, { cause: error });
  }
  if (given !== apiVersion)
    throw new Error(
      `exec plugin is configured to use API version ${apiVersion}, plugin returned version ${given}`,
    );
  if (status === undefined) throw new Error("exec plugin didn't return a status field");
  return status;
}

/** After what Go considers white space, which excludes a byte order mark. */
const isJson = /^[\t-\r \u0085\u00a0]*\{/;

/** Parses JSON if it looks like it, otherwise YAML. */
function textRead(output: string): unknown {
  if (!isJson.test(output)) return readYaml(output);
  try {
    return parseJson(output).value;
  } catch (error) {
    throw new Error(`couldn't get version/kind; json parse error: ${messageOf(error)}`, { cause: error });
  }
}

/** Returns the specified or assumed version. @throws Error for another kind of object */
function checkedVersion(answer: unknown): string {
  const failure = typeMetaFailure(answer);
  if (failure !== undefined) throw new Error(failure);
  const meta = (answer ?? {}) as { readonly apiVersion?: string; readonly kind?: string };
  const { apiVersion, kind } = { apiVersion: meta.apiVersion || `${group}/${internal}`, kind: meta.kind };
  if (apiVersion.split('/').length > 2) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  if (apiVersion === 'v1' && kind === 'Status')
    throw new Error('converting (v1.Status) to (clientauthentication.ExecCredential): unknown conversion');
  const isKnown = [...known, internal].some((version) => apiVersion === `${group}/${version}`);
  if (!isKnown || (kind || kindOfAll) !== kindOfAll)
    throw new Error(
      `no kind ${goQuote(kind || kindOfAll)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  return apiVersion;
}

const kindOfAll = 'ExecCredential';

function shapeOf(apiVersion: string): StructShape {
  const struct = (name: string, fields: StructShape['fields']): StructShape => ({
    struct: `${apiVersion.slice(group.length + 1)}.${name}`,
    fields,
  });
  return struct(kindOfAll, {
    spec: struct('ExecCredentialSpec', { interactive: 'bool' }),
    status: struct('ExecCredentialStatus', {
      expirationTimestamp: 'string',
      token: 'string',
      clientCertificateData: 'string',
      clientKeyData: 'string',
    }),
  });
}
