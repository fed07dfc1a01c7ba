/** An editor based on CodeMirror, loaded on first use. Read-only text is shown by `text-view.tsx` instead. */

import { completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { foldGutter, foldKeymap } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import { schemaSupport } from './schema/schema-support.ts';
import { yamlLanguage } from './yaml-language.ts';
import './code-view.css';

interface CodeViewProps {
  /** The initial text. */
  readonly text: string;
  readonly label: string;
  readonly onEdit: (text: string) => void;
}

export default function CodeView({ text, label, onEdit }: CodeViewProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Within a shadow root, the editor adopts style sheets, which scripts may add, instead of inserting style elements.
    const root = place.current!.shadowRoot ?? place.current!.attachShadow({ mode: 'open' });
    const made = new EditorView({
      parent: root,
      root,
      state: EditorState.create({ doc: text, extensions: extensionsFor(label, onEdit) }),
    });
    made.focus();
    return () => made.destroy();
  }, []);
  return <div class="code-view" ref={place} />;
}

function extensionsFor(label: string, onEdit: CodeViewProps['onEdit']): readonly Extension[] {
  return [
    lineNumbers(),
    foldGutter(),
    history(),
    drawSelection(),
    highlightSelectionMatches(),
    search({ top: true }),
    yamlLanguage,
    theme,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap]),
    highlightActiveLine(),
    keymap.of([...completionKeymap, indentWithTab]),
    schemaSupport(),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) onEdit(state.doc.toString());
    }),
  ];
}

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', backgroundColor: 'var(--panel)', color: 'var(--text)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--accent)' },
  '.cm-gutters': {
    backgroundColor: 'var(--panel)',
    color: 'var(--text-3)',
    border: 'none',
    paddingLeft: '8px',
  },
  '.cm-yaml-key': { color: 'var(--accent)' },
  '.cm-yaml-string': { color: 'var(--ok)' },
  '.cm-yaml-literal': { color: 'var(--warn)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)' },
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent) 26%, transparent)',
  },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-textfield, .cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--panel)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
  },
  '.cm-tooltip': {
    overflow: 'hidden',
    color: 'var(--text)',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    boxShadow: 'var(--shadow-l)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '260px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { display: 'flex', gap: '12px', padding: '3px 10px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--text)', background: 'var(--selected)' },
  '.cm-completionLabel': { flex: 1 },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent)' },
  '.cm-completionDetail': { margin: '0', fontStyle: 'normal', color: 'var(--text-3)' },
  '.cm-tooltip.cm-completionInfo': {
    maxWidth: '360px',
    padding: '8px 10px',
    fontFamily: 'var(--font)',
    fontSize: 'var(--text-s)',
    color: 'var(--text-2)',
  },
  '.cm-diagnostic': { padding: '4px 10px', fontFamily: 'var(--font)', fontSize: 'var(--text-s)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad-fill)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warn-fill)' },
  '.cm-lintRange-error, .cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad-fill)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warn-fill)' },
  '.cm-lint-marker': { width: '8px', height: '8px', margin: '6px 2px', borderRadius: '50%', content: '""' },
  '.cm-lint-marker-error': { backgroundColor: 'var(--bad-fill)', content: '""' },
  '.cm-lint-marker-warning': { backgroundColor: 'var(--warn-fill)', content: '""' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn-fill)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--sunken)', color: 'var(--text-2)', border: 'none' },
});
