import { holdsSecrets, jsonWithoutSecrets } from '@coxswain/api/core/secret-values.ts';
import { objectDiff } from '@coxswain/client/history/object-diff.ts';
import { useEffect, useState } from 'preact/hooks';
import { Ago } from '../../../controls/ago.tsx';
import { FieldLine } from '../../../controls/field-line.tsx';
import { Badge } from '../../../controls/tone.tsx';
import { inLanguages } from '../../../language/language.ts';
import { objectPath } from '../../../navigation/paths.ts';
import { changeText } from '../history/moment-text.ts';
import { fieldChanges, wrote } from '../history/moments.ts';
import { RestoreButton } from '../history/restore-button.tsx';
import { useLoggedRequests } from '../../../work/logged-requests.ts';
import { writerText } from '../../../controls/user-name.ts';
import { readCause, type Cause as FoundCause, type Controlled } from './read-cause.ts';
import './cause.css';

const text = inLanguages(
  {
    title: 'Latest change behind it',
    by: (who: string) => `by ${who}`,
    history: 'In its history',
    undo: 'Undo',
    more: (count: number) => `and ${count} more`,
  },
  {
    title: '导致此状态的最近变更',
    by: (who: string) => `由 ${who} 完成`,
    history: '在历史中查看',
    undo: '撤销',
    more: (count: number) => `另有 ${count} 项`,
  },
);

const fieldsMax = 6;

/**
 * For an object that is not well: the last change of its desired state, and who made it. Renders nothing if that is
 * unknown.
 */
export function Cause({ kind, object }: Controlled) {
  const [cause, setCause] = useState<FoundCause | undefined>(undefined);
  const { uid, generation } = object.metadata;
  useEffect(() => {
    let isWanted = true;
    readCause({ kind, object }).then(
      (found) => isWanted && setCause(found),
      () => isWanted && setCause(undefined),
    );
    return () => void (isWanted = false);
  }, [uid, generation]);
  return cause === undefined ? null : <Reported cause={cause} />;
}

function Reported({ cause: { kind, object, change, writer } }: { readonly cause: FoundCause }) {
  const { namespace, name = '' } = object.metadata;
  const { before, after, revision } = change;
  const isSecret = holdsSecrets(kind);
  const { group, version, resource } = kind;
  const requests = useLoggedRequests({ group, version, resource, namespace, name }, String(revision));
  const request = revision === undefined ? undefined : requests.find(wrote(revision));
  const who = writerText(writer?.manager, request?.by);
  const madeAt = writer?.time || (request && new Date(request.startMs).toISOString());
  const fields =
    before === undefined
      ? []
      : fieldChanges(objectDiff(before, after!, isSecret ? jsonWithoutSecrets : undefined)).filter(
          ({ path }) => !/^(?:metadata|status)\b/.test(path),
        );
  return (
    <section class="panel cause" aria-labelledby="cause-title">
      <div class="panel-head">
        <h2 id="cause-title">{text().title}</h2>
        {revision !== undefined && (
          <a class="link" href={`${objectPath(kind, namespace, name, 'history')}?at=r${revision}`}>
            {text().history}
          </a>
        )}
        {before !== undefined && <RestoreButton kind={kind} then={before} now={object} title={text().undo} />}
      </div>
      <div class="cause-body">
        <p class="cause-who">
          <a class="link" href={objectPath(kind, namespace, name)}>
            {kind.kind} {name}
          </a>
          <Badge tone="info">{changeText()[change.kind]}</Badge>
          {who !== undefined && text().by(who)}
          {madeAt !== undefined && (
            <span class="panel-note">
              <Ago time={madeAt} />
            </span>
          )}
        </p>
        {fields.slice(0, fieldsMax).map(({ path, from, to }) => (
          <FieldLine key={path} path={path} from={from} to={to} />
        ))}
        {fields.length > fieldsMax && (
          <span class="panel-note">{text().more(fields.length - fieldsMax)}</span>
        )}
      </div>
    </section>
  );
}
