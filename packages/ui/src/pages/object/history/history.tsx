/** One timeline of the changes of an object, the events about it and the work on it. A slider goes back in time. */

import { useMemo } from 'preact/hooks';
import { useLive } from '../../../cluster/use-live.ts';
import { Empty, Failed, Loading } from '../../../controls/notice.tsx';
import { useSteps } from '../../../controls/use-steps.ts';
import { inLanguages } from '../../../language/language.ts';
import { currentQuery, goQuery } from '../../../navigation/route.ts';
import { objectEventsSpec } from '../object-events-spec.ts';
import type { ObjectTabProps } from '../object-tab.ts';
import { AsOfThen } from './as-of-then.tsx';
import { Axis } from './axis.tsx';
import { MomentList } from './moment-list.tsx';
import { momentsOf, revisionAt } from './moments.ts';
import { RecordingBar } from './recording-bar.tsx';
import { useHistory } from './use-history.ts';
import { useWorkOn } from './use-work-on.ts';
import './history.css';

const text = inLanguages(
  {
    none: 'No history',
    noneWhy: 'The server has compacted its history. Changes from now on will be shown.',
  },
  { none: '没有已知的历史', noneWhy: '服务器已压缩历史记录。此后的变更会显示在这里。' },
);

/** The query parameter for the displayed moment; without it, the newest is shown. */
const member = 'at';

const steps: Readonly<Record<string, number>> = { j: -1, k: 1, ArrowLeft: -1, ArrowRight: 1 };

export default function History(props: ObjectTabProps) {
  const { kind, object, isDeleted } = props;
  const { history, failure } = useHistory(props);
  const { objects: events } = useLive(useMemo(() => objectEventsSpec(object), [object.metadata.uid]));
  const work = useWorkOn(props);
  const moments = useMemo(
    () =>
      momentsOf(kind, {
        changes: history?.changes ?? [],
        ...(history?.first !== undefined && { first: history.first }),
        events: events.values(),
        work,
      }),
    [history, events, work],
  );
  const sought = moments.findIndex(({ id }) => id === currentQuery.value.get(member));
  const index = sought < 0 ? moments.length - 1 : sought;
  const choose = (next: number): void => {
    const moment = moments[next];
    if (moment !== undefined) goQuery({ [member]: next === moments.length - 1 ? undefined : moment.id });
  };
  useSteps(steps, (step) => choose(index + step));
  if (history === undefined) return failure === undefined ? <Loading /> : <Failed failure={failure} />;
  if (moments.length === 0) return <Empty title={text().none}>{text().noneWhy}</Empty>;
  return (
    <div class="history">
      <RecordingBar />
      <Axis moments={moments} index={index} onChoose={choose} />
      <div class="history-columns">
        <MomentList moments={moments} index={index} begins={history.begins} onChoose={choose} />
        <AsOfThen
          kind={kind}
          moment={moments[index]!}
          revision={revisionAt(moments, index)}
          first={history.first}
          now={isDeleted ? undefined : object}
          begins={history.begins}
        />
      </div>
    </div>
  );
}
