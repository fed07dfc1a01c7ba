/** A placeholder where there is nothing to show: loading, empty, or failed. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { isStatusError } from '@coxswain/apimachinery';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { tryAgain } from '../cluster/attempt.ts';
import { reach } from '../cluster/cluster.ts';
import { refusedIn } from '../cluster/refusal.ts';
import { Icon } from '../design/icon.tsx';
import { inLanguages } from '../language/language.ts';
import { accessPath } from '../navigation/paths.ts';
import { Button } from './button.tsx';
import { NamespaceForm } from './namespace-form.tsx';

const text = inLanguages(
  {
    failed: 'Reading failed',
    denied: 'You may not read this',
    loading: 'Loading',
    again: 'Try again',
    why: 'Why?',
  },
  { failed: '读取失败', denied: '你无权读取', loading: '加载中', again: '重试', why: '为什么？' },
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

interface FailedProps {
  readonly failure: unknown;
  readonly title?: string;
}

/** Says what failed and, for a denial, why. The page reads again when asked to, and when a lost server answers again. */
export function Failed({ failure, title }: FailedProps) {
  useRetryWhenReached();
  const message = messageOf(failure);
  const refused = refusedIn(message);
  return (
    <div class="notice" data-tone="bad" role="alert">
      <Icon name="warning" size={20} />
      <strong>{title ?? (isStatusError(failure, 'Forbidden') ? text().denied : text().failed)}</strong>
      <p>{message}</p>
      <div class="notice-actions">
        <Button icon="restart" onPress={tryAgain}>
          {text().again}
        </Button>
        {refused !== undefined && (
          <a class="button" href={accessPath(refused)}>
            {text().why}
          </a>
        )}
      </div>
      {refused !== undefined && <NamespaceForm refused={refused} />}
    </div>
  );
}

function useRetryWhenReached(): void {
  const isLost = reach.value !== 'reached';
  const wasLost = useRef(false);
  useEffect(() => {
    if (isLost) wasLost.current = true;
    else if (wasLost.current) tryAgain();
  }, [isLost]);
}

/** Placeholder lines for those to come. */
export const Loading = ({ lines = 6 }: { readonly lines?: number }) => (
  <div class="loading" role="status" aria-label={text().loading}>
    {Array.from({ length: lines }, (_, line) => (
      <div key={line} class="skeleton" style={{ width: `${88 - ((line * 37) % 50)}%` }} />
    ))}
  </div>
);
