/** The rules of AuditSinks, as Kubernetes 1.18 had them. */
import type { FieldError } from '@coxswain/apimachinery';
import { pathOf, Errors } from '../meta/checks.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import { subdomainName, validateMeta } from '../meta/object-meta-validation.ts';
import { validateWebhookClient, type WebhookClient } from '../meta/webhook-validation.ts';

interface Throttle {
  readonly qps?: number;
  readonly burst?: number;
}

type AuditSink = SpecObject<{
  policy: { level: string; stages: string[] | null };
  webhook: { throttle?: Throttle; clientConfig: WebhookClient };
}>;

const specPath = pathOf('spec');
const levels = ['Metadata', 'None', 'Request', 'RequestResponse'];
const knownStages = ['Panic', 'RequestReceived', 'ResponseComplete', 'ResponseStarted'];

export function validateAuditSink(sink: AuditSink): FieldError[] {
  const errors = new Errors();
  validateMeta(sink.metadata, undefined, { namespaced: false, name: subdomainName }, errors);
  validatePolicy(sink.spec.policy, errors);
  const { throttle, clientConfig } = sink.spec.webhook;
  if (throttle != null) validateThrottle(throttle, errors);
  validateWebhookClient(clientConfig, specPath.child('webhook', 'clientConfig'), errors);
  return errors;
}

/** Missing stages hide other errors of the policy. */
function validatePolicy({ level, stages }: AuditSink['spec']['policy'], errors: Errors): void {
  const path = specPath.child('policy');
  if (level !== 'None' && !stages?.length) return void errors.required(path.child('stages'));
  for (const [index, stage] of (stages ?? []).entries()) {
    if (knownStages.includes(stage)) continue;
    const detail = `allowed stages are ${knownStages.join(',')}`;
    errors.invalid(path.child('stages').index(index), stage, detail);
  }
  if (level === '') errors.required(path.child('level'));
  else if (!levels.includes(level)) errors.notSupported(path.child('level'), level, levels);
}

function validateThrottle(throttle: Throttle, errors: Errors): void {
  for (const member of ['qps', 'burst'] as const) {
    const value = throttle[member];
    if (value === undefined || value > 0) continue;
    const path = specPath.child('webhook', 'throttle', member);
    errors.invalid(path, value, `${member} must be a positive number`);
  }
}
