/** Makes the audit configuration from flags and the files that they name. */
import { readFileSync, statSync } from 'node:fs';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { AuditSetup } from '@coxswain/apiserver/audit/audit-setup.ts';
import type { AuditPolicy } from '@coxswain/apiserver/audit/policy/audit-policy.ts';
import { unionBackend } from '@coxswain/apiserver/audit/backends/union-backend.ts';
import { checkAuditFlags } from './check-audit-flags.ts';
import { logBackendOf } from './log-backend-of-flags.ts';
import { readAuditPolicy } from './read-policy.ts';
import { webhookBackendOf } from './webhook-backend-of-flags.ts';
import type { AuditRim } from './audit-rim.ts';
import type { AuditFlags } from './audit-flags.ts';

/**
 * Undefined without a policy, which disables auditing whatever the back ends.
 * @throws Error with upstream's message
 */
export function auditSettings(flags: AuditFlags, rim: AuditRim): AuditSetup | undefined {
  checkAuditFlags(flags);
  const policy = flags.auditPolicyFile === '' ? undefined : policyIn(flags.auditPolicyFile, rim.log);
  const makers = [logBackendOf(flags, rim), webhookBackendOf(flags, rim)].filter(
    (maker) => maker !== undefined,
  );
  if (policy === undefined) {
    if (makers.length > 0) rim.log('No audit policy file provided, no events will be recorded');
    return undefined;
  }
  if (makers.length === 0) return undefined;
  return { policy, backend: (parts) => unionBackend(makers.map((make) => make(parts))) };
}

function policyIn(file: string, log: (line: string) => void): AuditPolicy {
  const text = textOf(file);
  try {
    return readAuditPolicy(text, log);
  } catch (failure) {
    throw new Error(`loading audit policy file: ${messageOf(failure)}: from file ${file}`, {
      cause: failure,
    });
  }
}

function textOf(file: string): string {
  try {
    if (statSync(file).isDirectory()) throw new Error(`read ${file}: is a directory`);
    return readFileSync(file, 'utf8');
  } catch (failure) {
    const { code, message } = failure as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: `open ${file}: no such file or directory`,
      EACCES: `open ${file}: permission denied`,
    };
    throw new Error(
      `loading audit policy file: failed to read file path ${JSON.stringify(file)}: ${reasons[code ?? ''] ?? message}`,
      { cause: failure },
    );
  }
}
