import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import type { ObjectHistory } from '@coxswain/client/history/object-history.ts';
import { useState } from 'preact/hooks';
import { Empty } from '../../../controls/notice.tsx';
import { TextView } from '../../../editor/text-view.tsx';
import { inLanguages } from '../../../language/language.ts';
import { yamlOfState } from '../yaml/editable-yaml.ts';
import { clockTime } from '../../../controls/clock-time.ts';
import { isRevision, objectOf, type Moment, type RevisionMoment } from './moments.ts';
import { RestoreButton } from './restore-button.tsx';

const text = inLanguages(
  {
    asOf: (time: string) => `As of ${time}`,
    revision: (revision: number) => `resourceVersion ${revision}`,
    deleted: 'before it was deleted',
    changes: 'Highlight changes',
    unknown: 'The state at that time is no longer known',
    unborn: 'It did not exist yet',
    yaml: 'The object at that time',
  },
  {
    asOf: (time: string) => `${time} 时的对象`,
    revision: (revision: number) => `resourceVersion ${revision}`,
    deleted: '删除时的状态',
    changes: '标出变更',
    unknown: '当时的状态已不可知',
    unborn: '当时尚未创建',
    yaml: '当时的对象',
  },
);

interface AsOfThenProps {
  readonly kind: ApiResource;
  readonly moment: Moment;
  readonly revision: RevisionMoment | undefined;
  /** The first known state, if it is older than all known revisions. */
  readonly first: KubeObject | undefined;
  /** Undefined if the object no longer exists. */
  readonly now: KubeObject | undefined;
  readonly begins: ObjectHistory['begins'];
}

export function AsOfThen({ kind, moment, revision, first, now, begins }: AsOfThenProps) {
  const [isMarked, setMarked] = useState(true);
  const object = revision === undefined ? first : objectOf(revision);
  const before = isRevision(moment) && moment.change.kind === 'changed' ? moment.change.before : undefined;
  const known = revision?.change.revision ?? Number(first?.metadata.resourceVersion);
  return (
    <section class="as-of-then">
      <div class="tool-bar">
        <h2 class="tool-note">
          {text().asOf(clockTime(moment.timeMs))}
          {object !== undefined && <span class="panel-note"> · {text().revision(known)}</span>}
          {revision?.change.kind === 'deleted' && <span class="panel-note"> · {text().deleted}</span>}
        </h2>
        {before !== undefined && (
          <label class="check-label">
            <input
              type="checkbox"
              checked={isMarked}
              onChange={({ currentTarget }) => setMarked(currentTarget.checked)}
            />
            {text().changes}
          </label>
        )}
        {object !== undefined && <RestoreButton kind={kind} then={object} now={now} />}
      </div>
      {object === undefined ? (
        <Empty title={begins === 'created' ? text().unborn : text().unknown} />
      ) : (
        <TextView
          key={`${moment.id} ${isMarked}`}
          text={yamlOfState(kind, object)}
          label={text().yaml}
          {...(isMarked && before !== undefined && { before: yamlOfState(kind, before) })}
        />
      )}
    </section>
  );
}
