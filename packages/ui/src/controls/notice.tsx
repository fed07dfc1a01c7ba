/** A placeholder where there is nothing to show: loading, empty, or failed. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ComponentChildren } from 'preact';
import { Icon } from '../design/icon.tsx';
import { inLanguages } from '../language/language.ts';

const text = inLanguages(
  { failed: 'Reading failed', loading: 'Loading' },
  { failed: '读取失败', loading: '加载中' },
);

export const Empty = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) => (
  <div class="notice">
    <strong>{title}</strong>
    {children !== undefined && <p>{children}</p>}
  </div>
);

export const Failed = ({ failure, title }: { readonly failure: unknown; readonly title?: string }) => (
  <div class="notice" data-tone="bad" role="alert">
    <Icon name="warning" size={20} />
    <strong>{title ?? text().failed}</strong>
    <p>{messageOf(failure)}</p>
  </div>
);

/** Placeholder lines for those to come. */
export const Loading = ({ lines = 6 }: { readonly lines?: number }) => (
  <div class="loading" role="status" aria-label={text().loading}>
    {Array.from({ length: lines }, (_, line) => (
      <div key={line} class="skeleton" style={{ width: `${88 - ((line * 37) % 50)}%` }} />
    ))}
  </div>
);
