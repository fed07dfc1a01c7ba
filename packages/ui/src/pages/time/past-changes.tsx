import { Badge } from '../../controls/tone.tsx';
import { clockTime } from '../../controls/clock-time.ts';
import { ElidedName } from '../../controls/elided-name.tsx';
import { inLanguages } from '../../language/language.ts';
import { isPod, type PastChange } from './cluster-past.ts';

const text = inLanguages(
  {
    title: 'Changes up to then',
    types: { ADDED: 'created', MODIFIED: 'changed', DELETED: 'deleted' },
    on: (node: string) => `on ${node}`,
    none: 'None that are known.',
  },
  {
    title: '此前发生的变更',
    types: { ADDED: '创建', MODIFIED: '变更', DELETED: '删除' },
    on: (node: string) => `位于 ${node}`,
    none: '没有已知的变更。',
  },
);

const shownMax = 40;

interface PastChangesProps {
  readonly changes: readonly PastChange[];
  readonly count: number;
  readonly onChoose: (count: number) => void;
}

/** Newest first. A click goes to the change. */
export function PastChanges({ changes, count, onChoose }: PastChangesProps) {
  const begin = Math.max(0, count - shownMax);
  const shown = changes.slice(begin, count);
  return (
    <section class="panel" aria-labelledby="past-title">
      <div class="panel-head">
        <h2 id="past-title">{text().title}</h2>
      </div>
      {shown.length === 0 && <p class="all-well">{text().none}</p>}
      <ul class="past-changes">
        {shown
          .map((change, index) => (
            <li key={`${change.revision}`}>
              <button type="button" onClick={() => onChoose(begin + index + 1)}>
                <Change change={change} />
              </button>
            </li>
          ))
          .toReversed()}
      </ul>
    </section>
  );
}

function Change({ change: { kind, type, object, timeMs } }: { readonly change: PastChange }) {
  const { health, metadata } = object;
  const node = isPod(object) ? object.node : '';
  const state = type === 'DELETED' ? text().types.DELETED : health.state || text().types[type];
  return (
    <>
      <span class="entry-head">
        <span class="entry-name truncated">
          <ElidedName name={metadata.name ?? ''} />
        </span>
        <time>{clockTime(timeMs)}</time>
      </span>
      <span class="entry-head">
        <span class="entry-note truncated">
          {[
            kind,
            metadata.namespace,
            node !== '' && text().on(node),
            state !== text().types[type] && type !== 'MODIFIED' && text().types[type],
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <Badge tone={type === 'DELETED' ? 'idle' : health.tone}>{state}</Badge>
      </span>
    </>
  );
}
