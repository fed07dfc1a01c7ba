/** The service that `--audit-webhook-config-file` names. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { webhookBackend } from '@coxswain/apiserver/audit/backends/webhook-backend.ts';
import { answerProblem } from '../webhook-answer.ts';
import type { WebhookConnection } from '../webhook-connection.ts';
import type { AuditFlags } from './audit-flags.ts';
import type { AuditRim, BackendMaker } from './audit-rim.ts';
import { webhookDelivery } from './delivery-flags.ts';
import { delivered } from './delivery.ts';

/** As for upstream's other webhooks. */
const timeoutMs = 30_000;

/** @throws Error with upstream's message for an unusable file */
export function webhookBackendOf(flags: AuditFlags, { connect }: AuditRim): BackendMaker | undefined {
  const file = flags.auditWebhookConfigFile;
  if (file === '') return undefined;
  const delivery = webhookDelivery(flags);
  return (parts) => {
    const connection = connected(() => connect(file, timeoutMs));
    const backend = webhookBackend({
      post: (body) => post(connection, body),
      initialBackoffMs: flags.auditWebhookInitialBackoff,
      ...parts,
    });
    return delivered(backend, delivery, true, parts);
  };
}

function connected(connect: () => WebhookConnection): WebhookConnection {
  try {
    return connect();
  } catch (failure) {
    throw new Error(`initializing audit webhook: ${messageOf(failure)}`, { cause: failure });
  }
}

async function post(connection: WebhookConnection, body: string): Promise<void> {
  const answer = await connection.post(body);
  const problem = answerProblem(answer);
  if (problem !== undefined) throw new Error(problem);
}
