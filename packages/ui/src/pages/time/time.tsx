/** The cluster's past: nodes and pods, or any kind, at any change still available, step by step or as playback. */

import type { ApiResource } from '@coxswain/client';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { clusterNowMs } from '../../cluster/cluster-time.ts';
import { listedKinds, pluralOf } from '../../cluster/kinds.ts';
import { Button } from '../../controls/button.tsx';
import { clockTime } from '../../controls/clock-time.ts';
import { Empty, Failed, Loading } from '../../controls/notice.tsx';
import { MomentInput } from '../../controls/moment-input.tsx';
import { useSteps } from '../../controls/use-steps.ts';
import { inLanguages } from '../../language/language.ts';
import { currentQuery, goQuery } from '../../navigation/route.ts';
import { PodMap } from '../overview/pod-map/pod-map.tsx';
import { countAt, revisionAt, revisionUntil, stateAt } from './cluster-past.ts';
import { CompareBar } from './compare/compare-bar.tsx';
import { Comparison } from './compare/comparison.tsx';
import { PastChanges } from './past-changes.tsx';
import { PastTable } from './past-table.tsx';
import { readPast, type ReadPast } from './read-past.ts';
import '../overview/overview.css';
import './time.css';

const text = inLanguages(
  {
    play: 'Play',
    pause: 'Pause',
    again: 'Read again',
    slider: 'Change',
    compare: 'Compare',
    compareWhy: 'Show the changes of all kinds between two moments',
    at: 'At',
    kind: 'What is shown',
    map: 'Nodes and pods',
    of: (one: number, all: number, since: string) => `${one} of ${all} changes since ${since}`,
    revision: (revision: number) => `resourceVersion ${revision}`,
    beginning: 'The oldest known state',
    none: 'No history',
    noneWhy: 'The server has compacted it, or nothing has changed yet.',
  },
  {
    play: '播放',
    pause: '暂停',
    again: '重新读取',
    slider: '变更',
    compare: '比较',
    compareWhy: '显示两个时刻之间所有类型的变更',
    at: '时刻',
    kind: '显示的内容',
    map: '节点与 Pod',
    of: (one: number, all: number, since: string) => `第 ${one} 次变更，自 ${since} 起共 ${all} 次`,
    revision: (revision: number) => `resourceVersion ${revision}`,
    beginning: '已知的最早状态',
    none: '没有已知的历史',
    noneWhy: '服务器已压缩历史，或尚无变更。发生变更后请重新读取。',
  },
);

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

const frameMs = 120;
/** The maximum duration of playback, regardless of the number of changes. */
const playedMsMax = 24_000;

/** The query parameter for the kind that is shown instead of nodes and pods. */
const member = 'kind';

const idOf = ({ group, resource }: ApiResource): string => (group === '' ? resource : `${resource}.${group}`);

export default function TimePage() {
  const all = listedKinds.value;
  const kind = all.find((one) => idOf(one) === currentQuery.value.get(member));
  return <Past key={kind && idOf(kind)} kind={kind} />;
}

function Past({ kind }: { readonly kind: ApiResource | undefined }) {
  const [past, setPast] = useState<ReadPast | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [count, setCount] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const [times, setTimes] = useState(0);
  // During a comparison: the first moment, and the second if its time was entered rather than chosen with the slider.
  const [since, setSince] = useState<Moment | undefined>(undefined);
  const [untilMs, setUntilMs] = useState<number | undefined>(undefined);
  useEffect(() => {
    const leaving = new AbortController();
    readPast(kind, leaving.signal).then(
      (read) => {
        setPast(read);
        setCount(read.changes.length);
      },
      (reason: unknown) => leaving.signal.aborted || setFailure(reason),
    );
    return () => leaving.abort();
  }, [times]);
  const all = past?.changes.length ?? 0;
  const stride = Math.max(1, Math.ceil((all * frameMs) / playedMsMax));
  useEffect(() => {
    if (!isPlaying) return undefined;
    const playing = setInterval(() => setCount((before) => Math.min(all, before + stride)), frameMs);
    return () => clearInterval(playing);
  }, [isPlaying, all, stride]);
  useEffect(() => {
    if (count >= all) setPlaying(false);
  }, [count, all]);
  useSteps(steps, (step) => setCount((before) => Math.max(0, Math.min(all, before + step))));
  const state = useMemo(() => past && stateAt(past, count), [past, count]);
  if (failure !== undefined) return <Failed failure={failure} />;
  if (past === undefined || state === undefined) return <Loading lines={10} />;
  const play = (): void => {
    if (count >= all) setCount(0);
    setPlaying(!isPlaying);
  };
  const current = past.changes[count - 1];
  const beginningMs = (past.changes[0]?.timeMs ?? clusterNowMs()) - 1000;
  const until: Moment = { count, timeMs: untilMs ?? current?.timeMs ?? beginningMs };
  const momentAt = (timeMs: number): Moment => ({ count: countAt(past, timeMs), timeMs });
  const slideTo = (next: number): void => {
    setPlaying(false);
    setUntilMs(undefined);
    setCount(next);
  };
  const compare = (): void => {
    setSince(since !== undefined ? undefined : count < all ? until : { count: 0, timeMs: beginningMs });
    slideTo(all);
  };
  return (
    <div class="time">
      <div class="tool-bar time-bar" role="toolbar">
        <Button kind="primary" icon={isPlaying ? 'pause' : 'play'} onPress={play}>
          {isPlaying ? text().pause : text().play}
        </Button>
        <input
          type="range"
          class="time-slider"
          aria-label={text().slider}
          aria-valuetext={current === undefined ? text().beginning : clockTime(current.timeMs)}
          min={0}
          max={Math.max(1, all)}
          value={count}
          disabled={all === 0}
          onInput={({ currentTarget }) => slideTo(Number(currentTarget.value))}
        />
        {since !== undefined ? (
          <CompareBar
            fromMs={since.timeMs}
            toMs={until.timeMs}
            onFrom={(timeMs) => setSince(momentAt(timeMs))}
            onTo={(timeMs) => {
              slideTo(countAt(past, timeMs));
              setUntilMs(timeMs);
            }}
          />
        ) : (
          <>
            <MomentInput
              name={text().at}
              timeMs={until.timeMs}
              onChoose={(timeMs) => slideTo(countAt(past, timeMs))}
            />
            <KindChoice kind={kind} />
          </>
        )}
        <button
          type="button"
          class="button"
          title={text().compareWhy}
          aria-pressed={since !== undefined}
          onClick={compare}
        >
          {text().compare}
        </button>
        <Button icon="restart" onPress={() => setTimes(times + 1)}>
          {text().again}
        </Button>
      </div>
      {all === 0 ? (
        <Empty title={text().none}>{text().noneWhy}</Empty>
      ) : (
        <div class="page">
          <header class="time-head">
            <h1>
              {since !== undefined
                ? inOrder(since, until)
                    .map(({ timeMs }) => clockTime(timeMs))
                    .join(' – ')
                : current === undefined
                  ? text().beginning
                  : clockTime(current.timeMs)}
            </h1>
            <span class="panel-note">
              {current !== undefined && `${text().revision(current.revision)} · `}
              {text().of(count, all, clockTime(past.changes[0]!.timeMs))}
            </span>
          </header>
          {since !== undefined ? (
            <Compared past={past} moments={inOrder(since, until)} />
          ) : (
            <div class="overview-columns">
              {kind === undefined ? (
                <PodMap
                  pods={state.pods}
                  nodes={state.nodes}
                  isComplete
                  isWithoutNodes={past.isWithoutNodes}
                />
              ) : (
                <PastTable
                  kind={kind}
                  revision={revisionAt(past, count)}
                  timeMs={current?.timeMs ?? past.changes[0]!.timeMs}
                />
              )}
              <PastChanges changes={past.changes} count={count} onChoose={setCount} />
            </div>
          )}
        </div>
      )}
    </div>
  );
}

/** A moment after a number of changes. Several changes may share its second. */
interface Moment {
  readonly count: number;
  readonly timeMs: number;
}

const inOrder = (one: Moment, other: Moment): [Moment, Moment] =>
  one.count <= other.count ? [one, other] : [other, one];

interface ComparedProps {
  readonly past: ReadPast;
  readonly moments: readonly [Moment, Moment];
}

const Compared = ({ past, moments: [first, last] }: ComparedProps) => (
  <Comparison
    from={revisionAt(past, first.count)}
    to={revisionUntil(past, last.count, past.newest)}
    sinceMs={Math.floor(first.timeMs / 1000) * 1000}
  />
);

function KindChoice({ kind }: { readonly kind: ApiResource | undefined }) {
  const sorted = listedKinds.value.toSorted((one, other) => one.kind.localeCompare(other.kind));
  return (
    <select
      class="input"
      aria-label={text().kind}
      value={kind === undefined ? '' : idOf(kind)}
      onChange={({ currentTarget }) => goQuery({ [member]: currentTarget.value })}
    >
      <option value="">{text().map}</option>
      {sorted.map((one) => (
        <option key={idOf(one)} value={idOf(one)}>
          {pluralOf(one)}
        </option>
      ))}
    </select>
  );
}
