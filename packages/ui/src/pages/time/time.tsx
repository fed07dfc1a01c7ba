/** The cluster as it was: its nodes and pods at any change that is still known, one after the other or at once. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { Button } from '../../controls/button.tsx';
import { clockTime } from '../../controls/clock-time.ts';
import { Empty, Failed, Loading } from '../../controls/notice.tsx';
import { useSteps } from '../../controls/use-steps.ts';
import { inLanguages } from '../../language/language.ts';
import { PodMap } from '../overview/pod-map/pod-map.tsx';
import { stateAt, type ClusterPast } from './cluster-past.ts';
import { PastChanges } from './past-changes.tsx';
import { readPast } from './read-past.ts';
import '../overview/overview.css';
import './time.css';

const text = inLanguages(
  {
    play: 'Play',
    pause: 'Pause',
    again: 'Read again',
    slider: 'Change',
    of: (one: number, all: number) => `${one} of ${all} changes`,
    revision: (revision: number) => `resourceVersion ${revision}`,
    beginning: 'The oldest state that is known',
    none: 'Nothing is known of the past',
    noneWhy: 'The server has compacted it, or nothing has changed. Read it again after something has.',
  },
  {
    play: '播放',
    pause: '暂停',
    again: '重新读取',
    slider: '变更',
    of: (one: number, all: number) => `第 ${one} 次变更，共 ${all} 次`,
    revision: (revision: number) => `resourceVersion ${revision}`,
    beginning: '已知的最早状态',
    none: '没有已知的历史',
    noneWhy: '服务器已压缩历史，或尚无变更。发生变更后请重新读取。',
  },
);

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

const frameMs = 120;
/** However many changes there are, playing them takes no longer. */
const playedMsMax = 24_000;

export default function TimePage() {
  const [past, setPast] = useState<ClusterPast | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [count, setCount] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    readPast(leaving.signal).then(
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
  if (past === undefined || state === undefined)
    return failure === undefined ? <Loading lines={10} /> : <Failed failure={failure} />;
  const play = (): void => {
    if (count >= all) setCount(0);
    setPlaying(!isPlaying);
  };
  const current = past.changes[count - 1];
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
          onInput={({ currentTarget }) => {
            setPlaying(false);
            setCount(Number(currentTarget.value));
          }}
        />
        <Button icon="restart" onPress={() => setTimes(times + 1)}>
          {text().again}
        </Button>
      </div>
      {all === 0 ? (
        <Empty title={text().none}>{text().noneWhy}</Empty>
      ) : (
        <div class="page">
          <header class="time-head">
            <h1>{current === undefined ? text().beginning : clockTime(current.timeMs)}</h1>
            <span class="panel-note">
              {current !== undefined && `${text().revision(current.revision)} · `}
              {text().of(count, all)}
            </span>
          </header>
          <div class="overview-columns">
            <PodMap pods={state.pods} nodes={state.nodes} isComplete />
            <PastChanges changes={past.changes} count={count} onChoose={setCount} />
          </div>
        </div>
      )}
    </div>
  );
}
