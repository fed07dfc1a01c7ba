import type { KubeObject } from '@coxswain/apimachinery';
import { resourceOfKind } from '../../../cluster/kinds.ts';
import { lastChange, scaledBy } from '../../../cluster/last-change.ts';
import { clockTime } from '../../../controls/clock-time.ts';
import { inLanguages } from '../../../language/language.ts';
import { objectPath } from '../../../navigation/paths.ts';

const text = inLanguages(
  {
    title: 'Object',
    created: 'Created',
    owner: 'Controlled by',
    labels: 'Labels',
    annotations: 'Annotations',
    finalizers: 'Finalizers',
    changedBy: 'Last changed by',
    scaledBy: 'Replicas set by',
    generation: 'Generation',
  },
  {
    title: '对象',
    created: '创建时间',
    owner: '控制者',
    labels: '标签',
    annotations: '注解',
    finalizers: '终结器',
    changedBy: '最后修改者',
    scaledBy: '副本数设定者',
    generation: '代次',
  },
);

export function Facts({ object }: { readonly object: KubeObject }) {
  const { metadata } = object;
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  const ownerKind = owner && resourceOfKind(owner.apiVersion, owner.kind);
  const last = lastChange(metadata);
  const scaler = scaledBy(metadata);
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{text().title}</h2>
      </div>
      <dl class="facts">
        <dt>{text().created}</dt>
        <dd>{clockTime(Date.parse(metadata.creationTimestamp ?? ''))}</dd>
        {owner !== undefined && (
          <>
            <dt>{text().owner}</dt>
            <dd>
              {ownerKind === undefined ? (
                `${owner.kind} ${owner.name}`
              ) : (
                <a class="link" href={objectPath(ownerKind, metadata.namespace, owner.name)}>
                  {owner.kind} {owner.name}
                </a>
              )}
            </dd>
          </>
        )}
        {last !== undefined && (
          <>
            <dt>{text().changedBy}</dt>
            <dd>
              {last.manager}, {clockTime(last.timeMs)}
            </dd>
          </>
        )}
        {scaler !== undefined && (
          <>
            <dt>{text().scaledBy}</dt>
            <dd>{scaler}</dd>
          </>
        )}
        {metadata.generation !== undefined && (
          <>
            <dt>{text().generation}</dt>
            <dd>{metadata.generation}</dd>
          </>
        )}
        <Pairs title={text().labels} pairs={metadata.labels} />
        <Pairs title={text().annotations} pairs={metadata.annotations} />
        {metadata.finalizers !== undefined && metadata.finalizers.length > 0 && (
          <>
            <dt>{text().finalizers}</dt>
            <dd>{metadata.finalizers.join(', ')}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

interface PairsProps {
  readonly title: string;
  readonly pairs: Readonly<Record<string, string>> | undefined;
}

const Pairs = ({ title, pairs }: PairsProps) =>
  pairs === undefined || Object.keys(pairs).length === 0 ? null : (
    <>
      <dt>{title}</dt>
      <dd class="pairs">
        {Object.entries(pairs).map(([key, value]) => (
          <code key={key} title={`${key}=${value}`}>
            {key}={value}
          </code>
        ))}
      </dd>
    </>
  );
