import type { KubeObject } from '@coxswain/apimachinery';
import { ruleCells, ruleHeadings, type Rule } from '../rbac/rules.ts';
import type { Describer } from './describer.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { DescriptionText } from './text.ts';

interface Role extends KubeObject {
  readonly rules?: readonly Rule[] | null;
}

export const describeRole: Describer = async (object) => {
  const { metadata, rules }: Role = object;
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.line(0, 'PolicyRule:');
  const lines = ruleHeadings.map((heading) => '-'.repeat(heading.length));
  for (const row of [ruleHeadings, lines, ...ruleCells(rules ?? [])]) text.line(1, row.join('\t'));
  return text.toString();
};
