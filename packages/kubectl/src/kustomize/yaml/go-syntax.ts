/** Plain data as Go's %#v prints it. */
import { goFloat, goQuote } from '@coxswain/apimachinery/go-quote.ts';

export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : goFloat(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[string]interface {}{${members.map(([key, one]) => `${goQuote(key)}:${goSyntax(one)}`).join(', ')}}`;
}
