import type { Describer } from './describer.ts';
import { limitHeadings, limitRows, type LimitRange } from './limits.ts';
import { DescriptionText } from './text.ts';

export const describeLimitRange: Describer = async (object) => {
  const text = new DescriptionText();
  text.field(0, 'Name', object.metadata.name);
  text.field(0, 'Namespace', object.metadata.namespace);
  const lines = limitHeadings.map((heading) => '-'.repeat(heading.length));
  for (const row of [limitHeadings, lines, ...limitRows(object as LimitRange)]) text.line(0, row.join('\t'));
  return text.toString();
};
