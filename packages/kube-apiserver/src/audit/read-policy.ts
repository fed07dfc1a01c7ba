/** Reads the file of `--audit-policy-file`. */
import { aggregateFieldErrors } from '@coxswain/apimachinery/field-error.ts';
import { readYaml } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { AuditPolicy } from '@coxswain/apiserver/audit/policy/audit-policy.ts';
import { validatePolicy } from '@coxswain/apiserver/audit/policy/validate-policy.ts';
import { decodeConfiguration } from '@coxswain/apimachinery/configuration/decode-configuration.ts';

const form = { kinds: ['audit.k8s.io/v1 Policy'], type: AuditPolicy };

/**
 * Unknown and duplicate members are logged and ignored.
 * @throws Error with upstream's message
 */
export function readAuditPolicy(text: string, log: (line: string) => void): AuditPolicy {
  const policy = decoded(text, log);
  const errors = validatePolicy(policy);
  if (errors.length > 0) throw new Error(aggregateFieldErrors(errors));
  if ((policy.rules ?? []).length === 0) throw new Error('loaded illegal policy with 0 rules');
  return policy;
}

function decoded(text: string, log: (line: string) => void): AuditPolicy {
  try {
    checkKind(readYaml(text) as TypeMeta | null);
    return leniently(withKind(text), log);
  } catch (failure) {
    if (failure instanceof MissingVersionError) throw failure;
    throw new Error(`failed decoding: ${messageOf(failure)}`, { cause: failure });
  }
}

function leniently(text: string, log: (line: string) => void): AuditPolicy {
  try {
    return decodeConfiguration(text, { ...form, isStrict: true });
  } catch (failure) {
    const message = messageOf(failure);
    if (!message.startsWith('strict decoding error: ')) throw failure;
    log(`Audit policy contains errors, falling back to lenient decoding: ${message}`);
    return decodeConfiguration(text, { ...form, isStrict: false });
  }
}

interface TypeMeta {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
}

class MissingVersionError extends Error {
  override readonly name = 'MissingVersionError';
}

/** A file with neither version nor kind is taken for upstream's internal policy type, and refused as such. */
function checkKind(value: TypeMeta | null): void {
  if (!value?.apiVersion) {
    throw new MissingVersionError(
      'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy',
    );
  }
  if (value.apiVersion === 'audit.k8s.io/v1' && otherKinds.has(String(value.kind))) {
    throw new Error(`converting (v1.${String(value.kind)}) to (audit.Policy): unknown conversion`);
  }
}

const otherKinds: ReadonlySet<string> = new Set(['Event', 'EventList', 'PolicyList']);

/** The kind may be omitted. */
const withKind = (text: string): string =>
  (readYaml(text) as TypeMeta).kind ? text : `${text.trimEnd()}\nkind: Policy\n`;
