/** The editor's support for YAML: highlighting, folding, and indentation of new lines. */

import { foldService, indentService } from '@codemirror/language';
import { RangeSetBuilder, type EditorState, type Extension } from '@codemirror/state';
import { Decoration, ViewPlugin, type DecorationSet, type EditorView } from '@codemirror/view';
import { yamlSpans } from './yaml-spans.ts';

const indentColumns = 2;

export const yamlLanguage: Extension = [
  ViewPlugin.define((view) => new Colours(view), { decorations: ({ decorations }) => decorations }),
  foldService.of((state, from) => foldOf(state, state.doc.lineAt(from).number)),
  indentService.of((context, position) => {
    const { text } = context.lineAt(position, -1);
    return indentOf(text) + (/:\s*(?:[|>][-+]?)?\s*$/.test(text) ? indentColumns : 0);
  }),
];

class Colours {
  decorations: DecorationSet;

  constructor({ state }: EditorView) {
    this.decorations = coloursOf(state);
  }

  update({ docChanged, state }: { readonly docChanged: boolean; readonly state: EditorState }): void {
    if (docChanged) this.decorations = coloursOf(state);
  }
}

const marks = {
  key: Decoration.mark({ class: 'cm-yaml-key' }),
  string: Decoration.mark({ class: 'cm-yaml-string' }),
  literal: Decoration.mark({ class: 'cm-yaml-literal' }),
};

function coloursOf({ doc }: EditorState): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let at = 0;
  for (const spans of yamlSpans(doc.toString())) {
    for (const { role, text } of spans) {
      if (role !== undefined) builder.add(at, at + text.length, marks[role]);
      at += text.length;
    }
    at++;
  }
  return builder.finish();
}

/** The range from a line to the last line indented further; a list may be indented as far as its key. */
function foldOf({ doc }: EditorState, number: number): { readonly from: number; readonly to: number } | null {
  const first = doc.line(number);
  if (first.text.trim() === '') return null;
  const indent = indentOf(first.text);
  const isKeyOfList = /:\s*$/.test(first.text) && !isItem(first.text);
  let last = first;
  for (let next = number + 1; next <= doc.lines; next++) {
    const line = doc.line(next);
    if (line.text.trim() === '') continue;
    const below = indentOf(line.text);
    if (below < indent || (below === indent && !(isKeyOfList && isItem(line.text)))) break;
    last = line;
  }
  return last === first ? null : { from: first.to, to: last.to };
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

const isItem = (line: string): boolean => /^\s*-(?:\s|$)/.test(line);
