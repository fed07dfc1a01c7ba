import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { ResourceQuota } from '@coxswain/api/core/v1/resource-quota.ts';
import { Fragment } from 'preact';
import { amountOf } from '../../../controls/amounts.ts';
import { Badge } from '../../../controls/tone.tsx';
import { inLanguages } from '../../../language/language.ts';

const text = inLanguages(
  { title: 'Used of the quota', full: 'used up', of: (used: string, hard: string) => `${used} of ${hard}` },
  { title: '配额使用情况', full: '已用尽', of: (used: string, hard: string) => `${used} / ${hard}` },
);

/** What a quota allows, and how much of it is used. */
export function Quota({ object }: { readonly object: KubeObject }) {
  const { spec, status } = object as Live<ResourceQuota>;
  return (
    <section class="panel" aria-labelledby="quota-title">
      <div class="panel-head">
        <h2 id="quota-title">{text().title}</h2>
      </div>
      <dl class="facts quota">
        {Object.entries(spec?.hard ?? {}).map(([resource, hard]) => {
          const used = status?.used?.[resource] ?? '0';
          const share = amountOf(hard) === 0 ? 1 : Math.min(1, amountOf(used) / amountOf(hard));
          return (
            <Fragment key={resource}>
              <dt>
                <code>{resource}</code>
              </dt>
              <dd>
                {text().of(String(used), String(hard))}{' '}
                {share === 1 && <Badge tone="warn">{text().full}</Badge>}
                <span class="quota-bar" data-is-full={share === 1 || undefined}>
                  <span style={{ width: `${share * 100}%` }} />
                </span>
              </dd>
            </Fragment>
          );
        })}
      </dl>
    </section>
  );
}
