/**
 * Reads the policy file of ABAC mode: one JSON object per line; lines of the oldest form have neither kind nor version.
 */
import { deepEqual } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { bool, optional, string, struct } from '@coxswain/schema';
import { decode } from '@coxswain/schema/decode.ts';

export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const Spec = struct('PolicySpec', {
  user: optional(1, string),
  group: optional(2, string),
  readonly: optional(3, bool),
  apiGroup: optional(4, string),
  resource: optional(5, string),
  namespace: optional(6, string),
  nonResourcePath: optional(7, string),
});

const Line = struct('Policy', {
  kind: optional(0, string),
  apiVersion: optional(0, string),
  spec: optional(1, Spec),
  user: optional(2, string),
  group: optional(3, string),
  readonly: optional(4, bool),
  resource: optional(5, string),
  namespace: optional(6, string),
});

const group = 'abac.authorization.kubernetes.io';
const nothing: AbacPolicy = {
  user: '',
  group: '',
  readonly: false,
  apiGroup: '',
  resource: '',
  namespace: '',
  nonResourcePath: '',
};

/** @throws Error that names the line, with upstream's message */
export function readAbacPolicies(file: string, text: string): readonly AbacPolicy[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    try {
      return [policyOf(line)];
    } catch (failure) {
      const place = `${file}, line ${index + 1}: ${line}`;
      throw new Error(`error reading policy file ${place}: ${messageOf(failure)}`, {
        cause: failure,
      });
    }
  });
}

function policyOf(line: string): AbacPolicy {
  const { kind, apiVersion, spec, ...old } = decodedLine(line);
  if (!kind || !apiVersion) return fromUnversioned(old);
  if (kind !== 'Policy' || (apiVersion !== `${group}/v1beta1` && apiVersion !== `${group}/v0`)) {
    throw new Error(
      `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  if (apiVersion.endsWith('/v0')) return fromUnversioned(old);
  const policy = { ...nothing, ...spec };
  // A wildcard matches authenticated users only.
  const isEverybody = policy.user === '*' || policy.group === '*';
  return isEverybody ? { ...policy, user: '', group: 'system:authenticated' } : policy;
}

function decodedLine(line: string) {
  try {
    return decode(Line, line).object;
  } catch (failure) {
    throw new Error(`couldn't get version/kind; json parse error: ${messageOf(failure)}`, {
      cause: failure,
    });
  }
}

/** Fields that the oldest form omits match everything. */
function fromUnversioned(old: Partial<AbacPolicy>): AbacPolicy {
  const policy = { ...nothing, ...old };
  const isAnybody =
    deepEqual([policy.user, policy.group], ['', '']) || policy.user === '*' || policy.group === '*';
  return {
    ...policy,
    ...(isAnybody ? { user: '', group: 'system:authenticated' } : {}),
    namespace: policy.namespace || '*',
    resource: policy.resource || '*',
    apiGroup: '*',
    nonResourcePath: policy.namespace === '' && policy.resource === '' ? '*' : '',
  };
}
