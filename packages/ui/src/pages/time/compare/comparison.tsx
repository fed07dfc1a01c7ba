/** What changed between two revisions: each object once, with its fields before and after. */

import { holdsSecrets, jsonWithoutSecrets } from '@coxswain/api/core/secret-values.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { objectDiff } from '@coxswain/client/history/object-diff.ts';
import { writerOf } from '@coxswain/client/history/writer-of.ts';
import { useEffect, useState } from 'preact/hooks';
import { listedKinds, pluralOf } from '../../../cluster/kinds.ts';
import { Button } from '../../../controls/button.tsx';
import { clockTime } from '../../../controls/clock-time.ts';
import { FieldLine } from '../../../controls/field-line.tsx';
import { Empty, Failed, Loading } from '../../../controls/notice.tsx';
import { Badge, type Tone } from '../../../controls/tone.tsx';
import { inLanguages } from '../../../language/language.ts';
import { objectPath } from '../../../navigation/paths.ts';
import { changeText } from '../../object/history/moment-text.ts';
import { fieldChanges, type FieldChange } from '../../object/history/moments.ts';
import type { ComparedObject } from './compared.ts';
import { objectAt, readCompared, type Compared } from './read-compared.ts';
import './comparison.css';

const text = inLanguages(
  {
    title: 'What changed',
    note: 'Events and leases are left out.',
    none: 'Nothing changed',
    noneWhy: 'Only events and leases were written between these two moments.',
    onlyReports: 'Only statuses changed. Use the switch above to show them.',
    reports: (count: number) => `Objects with only status changes (${count})`,
    by: (managers: string) => `by ${managers}`,
    more: 'Show more',
    moreFields: (count: number) => `and ${count} more fields`,
    ownership: 'only field ownership',
    unread: (kinds: string) => `Not all compared: ${kinds}`,
  },
  {
    title: '变更内容',
    note: '不含事件和租约（Lease）。',
    none: '没有变更',
    noneWhy: '这两个时刻之间，除事件和租约外没有任何写入。',
    onlyReports: '只有状态上报。可用上方的开关显示。',
    reports: (count: number) => `仅状态变化的对象（${count}）`,
    by: (managers: string) => `由 ${managers}`,
    more: '显示更多',
    moreFields: (count: number) => `另有 ${count} 个字段`,
    ownership: '仅字段归属变化',
    unread: (kinds: string) => `未完整比较：${kinds}`,
  },
);

interface ComparisonProps {
  readonly from: number;
  readonly to: number;
  /** Writes before this time do not count as changes. */
  readonly sinceMs: number;
}

/** Each object costs two requests. */
const shownAtFirst = 50;

export function Comparison({ from, to, sinceMs }: ComparisonProps) {
  const { compared, failure } = useCompared(from, to);
  const [hasReports, setReports] = useState(false);
  const [shownMax, setShownMax] = useState(shownAtFirst);
  if (failure !== undefined) return <Failed failure={failure} />;
  if (compared === undefined) return <Loading lines={10} />;
  const objects = compared.objects.filter(({ timeMs }) => timeMs === undefined || timeMs >= sinceMs);
  const reports = objects.filter(({ isReport }) => isReport);
  const chosen = hasReports ? objects : objects.filter(({ isReport }) => !isReport);
  return (
    <section class="panel" aria-labelledby="compared-title">
      <div class="panel-head">
        <h2 id="compared-title">{text().title}</h2>
        <span class="compared-tools">
          {reports.length > 0 && (
            <label class="check-label">
              <input
                type="checkbox"
                checked={hasReports}
                onChange={({ currentTarget }) => setReports(currentTarget.checked)}
              />
              {text().reports(reports.length)}
            </label>
          )}
          <span class="panel-note" role="status">
            {chosen.length}
          </span>
        </span>
      </div>
      {chosen.length === 0 && (
        <Empty title={text().none}>{reports.length > 0 ? text().onlyReports : text().noneWhy}</Empty>
      )}
      <ul class="compared">
        {chosen.slice(0, shownMax).map((object) => (
          <li key={object.metadata.uid}>
            <One object={object} from={from} to={to} />
          </li>
        ))}
      </ul>
      {chosen.length > shownMax && (
        <p class="entries-more">
          <Button onPress={() => setShownMax(shownMax + shownAtFirst)}>{text().more}</Button>
        </p>
      )}
      <p class="entries-more panel-note">
        {text().note}{' '}
        {compared.unread.length > 0 &&
          text().unread(compared.unread.map(({ kind, why }) => `${pluralOf(kind)} (${why})`).join(', '))}
      </p>
    </section>
  );
}

function useCompared(from: number, to: number) {
  const [state, setState] = useState<{ readonly compared?: Compared; readonly failure?: unknown }>({});
  useEffect(() => {
    const leaving = new AbortController();
    setState({});
    readCompared(listedKinds.peek(), from, to, leaving.signal).then(
      (compared) => setState({ compared }),
      (failure: unknown) => leaving.signal.aborted || setState({ failure }),
    );
    return () => leaving.abort(new Error('other revisions are compared'));
  }, [from, to]);
  return state;
}

const tones: Readonly<Record<ComparedObject['change'], Tone>> = {
  created: 'ok',
  changed: 'info',
  deleted: 'bad',
};

interface OneProps {
  readonly object: ComparedObject;
  readonly from: number;
  readonly to: number;
}

function One({ object, from, to }: OneProps) {
  const { kind, change, metadata, timeMs } = object;
  const { namespace, name = '' } = metadata;
  const details = useDetails({ object, from, to });
  // Metadata cannot distinguish two writes of a manager within a second.
  const managers =
    object.managers.length > 0 ? object.managers : details === undefined ? [] : details.writers;
  return (
    <>
      <span class="compared-head">
        <Badge tone={tones[change]}>{changeText()[change]}</Badge>
        <a class="link truncated" href={objectPath(kind, namespace, name, 'history')}>
          {name}
        </a>
        <span class="panel-note truncated">
          {[kind.kind, namespace, managers.length > 0 && text().by(managers.join(', '))]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {timeMs !== undefined && <time>{clockTime(timeMs)}</time>}
      </span>
      {change === 'changed' &&
        (details === undefined ? <span class="skeleton compared-skeleton" /> : <Fields details={details} />)}
    </>
  );
}

interface Details {
  readonly fields: readonly FieldChange[];
  readonly writers: readonly string[];
  /** Why the details could not be read. */
  readonly failure?: string;
}

const fieldsMax = 8;

function Fields({ details: { fields, failure } }: { readonly details: Details }) {
  const [isWhole, setWhole] = useState(false);
  if (failure !== undefined) return <span class="panel-note">{failure}</span>;
  if (fields.length === 0) return <span class="panel-note">{text().ownership}</span>;
  const shown = isWhole ? fields : fields.slice(0, fieldsMax);
  return (
    <>
      {shown.map(({ path, from, to }) => (
        <FieldLine key={path} path={path} from={from} to={to} />
      ))}
      {fields.length > shown.length && (
        <button type="button" class="link compared-more" onClick={() => setWhole(true)}>
          {text().moreFields(fields.length - shown.length)}
        </button>
      )}
    </>
  );
}

/** Only an object that exists both before and after has changed fields. */
function useDetails({ object, from, to }: OneProps): Details | undefined {
  const [details, setDetails] = useState<Details | undefined>(undefined);
  useEffect(() => {
    if (object.change !== 'changed') return undefined;
    const leaving = new AbortController();
    Promise.all([objectAt(object, from, leaving.signal), objectAt(object, to, leaving.signal)]).then(
      ([before, after]) => setDetails(detailsOf(object, before, after)),
      (failure: unknown) =>
        leaving.signal.aborted || setDetails({ fields: [], writers: [], failure: messageOf(failure) }),
    );
    return () => leaving.abort(new Error('it is shown no more'));
  }, [object]);
  return details;
}

/** Changes of the desired state come before status updates. */
function detailsOf(
  { kind }: ComparedObject,
  before: KubeObject | undefined,
  after: KubeObject | undefined,
): Details {
  if (before === undefined || after === undefined) return { fields: [], writers: [] };
  const shown = holdsSecrets(kind) ? jsonWithoutSecrets : undefined;
  const all = fieldChanges(objectDiff(before, after, shown));
  const writer = writerOf(before, after);
  return {
    fields: [...all.filter((one) => !isStatus(one)), ...all.filter(isStatus)],
    writers: writer === undefined ? [] : [writer.manager],
  };
}

const isStatus = ({ path }: FieldChange): boolean => path.startsWith('status.');
