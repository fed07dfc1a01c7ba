/** Lists who may do something, and by which binding. */
import { compileRule } from '../rule.ts';
import type { Subject } from '../objects.ts';
import { attributesOf, type AccessQuestion } from './access-question.ts';
import { bindingText, isInForce, roleOf, roleText, type PolicyObjects } from './policy-objects.ts';

export interface Permitted {
  /** `User`, `Group`, `ServiceAccount` */
  readonly kind: string;
  /** Service accounts include their namespace: `kube-system/default`. */
  readonly subject: string;
  readonly binding: string;
  readonly role: string;
}

const nobody = { name: '', groups: [] };

/** Sorted by kind and name, without duplicates per binding. */
export function whoCan(question: AccessQuestion, policy: PolicyObjects): readonly Permitted[] {
  const attributes = attributesOf(question, nobody);
  return policy.bindings
    .filter((binding) => isInForce(binding, question.namespace))
    .filter((binding) => (roleOf(policy, binding)?.rules ?? []).some((rule) => compileRule(rule)(attributes)))
    .flatMap((binding) =>
      (binding.subjects ?? []).map((subject) => ({
        kind: subject.kind,
        subject: subjectText(subject, binding.metadata.namespace ?? ''),
        binding: bindingText(binding),
        role: roleText(binding),
      })),
    )
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

const subjectText = ({ kind, name, namespace }: Subject, ofBinding: string): string =>
  kind === 'ServiceAccount' ? `${namespace || ofBinding}/${name}` : name;

const sortKey = ({ kind, subject, binding }: Permitted): string => `${kind}\0${subject}\0${binding}`;

/** Members of system:masters don't need a binding. */
export function renderWhoCan(title: string, permitted: readonly Permitted[]): string {
  const rows = [
    ['KIND', 'SUBJECT', 'THROUGH', 'ROLE'],
    ...permitted.map(({ kind, subject, binding, role }) => [kind, subject, binding, role]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd((widths[column] ?? -3) + 3))
      .join('')
      .trimEnd(),
  );
  const who = permitted.length === 0 ? ['No binding grants this to anyone.'] : lines;
  return `Who can ${title}:\n\n${who.join('\n')}\n\nMembers of system:masters are allowed to do everything.\n`;
}
