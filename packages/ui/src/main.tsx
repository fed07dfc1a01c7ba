/** The entry point of the page: the session, the kinds of the cluster, and the frame that contains the pages. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { render } from 'preact';
import './design/fonts.css';
import './design/tokens.css';
import './design/base.css';
import './design/theme.ts';
import './controls/controls.css';
import { readFacts } from './cluster/cluster.ts';
import { followClusterTime } from './cluster/cluster-time.ts';
import { readKinds } from './cluster/kinds.ts';
import { language, speak } from './language/language.ts';
import { currentPath, followLinks, go } from './navigation/route.ts';
import { preloadPage, Shell } from './shell/shell.tsx';
import { SignedOut } from './shell/signed-out.tsx';

const root = document.querySelector('#page')!;

speak(language.value);
forgetToken();
followLinks();
detach(start());

/**
 * Not awaited at the top level: pages import from the bundle that contains this module, and could not load before it
 * has run.
 */
async function start(): Promise<void> {
  const page = preloadPage(currentPath.value);
  try {
    await readFacts();
    detach(readKinds());
    await Promise.all([page, followClusterTime()]);
    render(<Shell />, root);
  } catch {
    render(<SignedOut />, root);
  }
}

/** Removes the token from the address. It has been exchanged for a session and cannot be used again. */
function forgetToken(): void {
  const query = new URLSearchParams(location.search);
  if (!query.has('token')) return;
  query.delete('token');
  const rest = query.toString();
  go(location.pathname + (rest === '' ? '' : `?${rest}`), { replace: true });
}
