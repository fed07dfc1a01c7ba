import type { RefusalFact } from '@coxswain/kube-scheduler/explain-placement.ts';
import { amountOf, formatBytes, formatCores } from '../../controls/amounts.ts';
import { inLanguages } from '../../language/language.ts';

const text = inLanguages(
  {
    shortage: (resource: string, requested: string, free: string, all: string) =>
      `${resource}: ${requested} requested, ${free} of ${all} free`,
    labels: 'required:',
    taint: 'taint:',
  },
  {
    shortage: (resource: string, requested: string, free: string, all: string) =>
      `${resource}：请求 ${requested}，空闲 ${free}，共 ${all}`,
    labels: '要求：',
    taint: '污点：',
  },
);

/** What a reason of the scheduler does not name: the amounts, labels or taint that decided. */
export function Fact({ fact }: { readonly fact: RefusalFact }) {
  if (fact.kind === 'shortage') {
    const { resource, requested, free, allocatable } = fact;
    const [first, second, third] = [requested, free, allocatable].map((amount) =>
      amountText(resource, amount),
    );
    return <span class="refusal-fact">{text().shortage(resource, first!, second!, third!)}</span>;
  }
  return (
    <span class="refusal-fact">
      {text()[fact.kind]} <code>{fact.kind === 'labels' ? fact.required : fact.taint}</code>
    </span>
  );
}

function amountText(resource: string, quantity: string): string {
  if (resource === 'cpu') return formatCores(amountOf(quantity));
  return resource === 'memory' || resource === 'ephemeral-storage'
    ? formatBytes(amountOf(quantity))
    : quantity;
}
