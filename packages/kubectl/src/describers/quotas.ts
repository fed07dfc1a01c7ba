import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import { canonicalQuantity } from '@coxswain/apimachinery/quantity.ts';
import type { DescriptionText } from './text.ts';

export type ResourceQuota = Live<core.ResourceQuota>;

/** What a scope counts, in upstream's words. */
export const scopeTexts: Readonly<Record<string, string>> = {
  Terminating:
    'Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.',
  NotTerminating:
    'Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
  BestEffort:
    'Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.',
  NotBestEffort:
    'Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
};

export function describeQuotas(text: DescriptionText, quotas: readonly ResourceQuota[]): void {
  if (quotas.length === 0) return text.line(0, 'No resource quota.');
  text.line(0, 'Resource Quotas');
  for (const { metadata, spec = {}, status = {} } of [...quotas].sort((a, b) =>
    (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1,
  )) {
    text.field(1, 'Name', metadata.name);
    const scopes = [...(spec.scopes ?? [])].sort();
    if (scopes.length > 0) {
      text.field(1, 'Scopes', scopes.join(', '));
      for (const scope of scopes) if (scopeTexts[scope]) text.line(1, `* ${scopeTexts[scope]}`);
    }
    text.line(1, 'Resource\tUsed\tHard');
    text.line(1, '--------\t---\t---');
    for (const name of Object.keys(status.hard ?? {}).sort()) {
      text.line(
        1,
        `${name}\t${canonicalQuantity(status.used?.[name] ?? '0')}\t${canonicalQuantity(status.hard?.[name] ?? '0')}`,
      );
    }
  }
}
