import { canonicalQuantity } from '@coxswain/apimachinery/quantity.ts';
import type { Describer } from './describer.ts';
import { scopeTexts, type ResourceQuota } from './quotas.ts';
import { DescriptionText } from './text.ts';

export const describeResourceQuota: Describer = async (object) => {
  const { metadata, spec = {}, status = {} } = object as ResourceQuota;
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Namespace', metadata.namespace);
  const scopes = [...(spec.scopes ?? [])].sort();
  if (scopes.length > 0) text.field(0, 'Scopes', scopes.join(', '));
  for (const scope of scopes) if (scopeTexts[scope]) text.line(0, ` * ${scopeTexts[scope]}`);
  text.line(0, 'Resource\tUsed\tHard');
  text.line(0, '--------\t----\t----');
  for (const name of Object.keys(status.hard ?? {}).sort()) {
    const [used, hard] = [status.used?.[name] ?? '0', status.hard?.[name] ?? '0'];
    text.line(0, `${name}\t${canonicalQuantity(used)}\t${canonicalQuantity(hard)}`);
  }
  return text.toString();
};
