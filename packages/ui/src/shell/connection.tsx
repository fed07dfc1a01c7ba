/** Reports when a server does not respond, retries, and reports when it responds again. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { useEffect, useRef } from 'preact/hooks';
import { client, NotSignedIn, reach, readFacts } from '../cluster/cluster.ts';
import { Icon } from '../design/icon.tsx';
import { inLanguages } from '../language/language.ts';
import { announce } from '../controls/announcements.tsx';
import { signal } from '@preact/signals';

const text = inLanguages(
  {
    page: 'coxswain does not answer. The page shows the last known state and reconnects automatically.',
    cluster:
      'The API server does not answer. The page shows the last known state and reconnects automatically.',
    signedOut: 'coxswain was restarted. Open the link that it printed.',
    back: 'Connected again',
  },
  {
    page: 'coxswain 没有响应。当前显示的是断开前的内容；恢复后页面会自动继续。',
    cluster: 'API 服务器没有响应。当前显示的是断开前的内容；恢复后页面会自动继续。',
    signedOut: 'coxswain 已重新启动。请打开它打印的链接。',
    back: '已重新连接',
  },
);

const tryAgainMs = 2000;

const isSignedOut = signal(false);

export function Connection() {
  const state = reach.value;
  const wasLost = useRef(false);
  useEffect(() => {
    if (state === 'reached') {
      if (wasLost.current) announce('ok', text().back);
      wasLost.current = false;
      return undefined;
    }
    wasLost.current = true;
    const trying = setInterval(() => detach(tryAgain()), tryAgainMs);
    return () => clearInterval(trying);
  }, [state]);
  if (state === 'reached') return null;
  return (
    <div class="connection" role="alert">
      <Icon name="warning" />
      {isSignedOut.value ? text().signedOut : text()[state]}
    </div>
  );
}

async function tryAgain(): Promise<void> {
  try {
    await readFacts();
    isSignedOut.value = false;
    await client.rest.request({ verb: 'GET', path: '/version' });
  } catch (failure) {
    isSignedOut.value = failure instanceof NotSignedIn;
  }
}
