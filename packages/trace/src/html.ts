/**
 * A recording as one self-contained page: it needs no network and no server, and its policy allows no script but its
 * own.
 */

import type { Recording } from './recording.ts';

/** The parts of the page, built from `page/`. */
export interface PageParts {
  readonly script: string;
  readonly style: string;
}

export async function recordingPage(recording: Recording, { script, style }: PageParts): Promise<string> {
  const policy = [
    "default-src 'none'",
    `script-src '${await hashOf(script)}'`,
    `style-src '${await hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Recording · Coxswain</title>
<style>${style}</style>
</head>
<body>
${recordingBody}
<script type="application/json" id="recording">${embedded(recording)}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** The markup that the page's script fills. */
export const recordingBody = `<header>
<h1 id="title"></h1>
<span id="counts"></span>
<label class="searching"><input id="search" type="search" placeholder="Search steps, values, files" aria-label="Search" autocomplete="off" spellcheck="false"><span id="found"></span></label>
<span id="tools"><button id="fit" class="icon" type="button" title="Show everything (0)">Fit</button><button id="keys" class="icon" type="button" title="Keys (?)">?</button></span>
</header>
<main id="stage">
<section id="chart" aria-label="Timeline"><canvas id="timeline"></canvas><div id="hint" hidden></div></section>
<div id="divider" role="separator" aria-orientation="horizontal"></div>
<div id="below"><section id="tree" aria-label="Steps" tabindex="0"></section><aside id="details" aria-label="Details" tabindex="0"></aside></div>
</main>
<dialog id="help"><h2>Keys</h2><form method="dialog"><dl>
<dt><kbd>↑</kbd> <kbd>↓</kbd></dt><dd>the step before, the next one</dd>
<dt><kbd>→</kbd> <kbd>←</kbd></dt><dd>into a step, out of it</dd>
<dt><kbd>w</kbd> <kbd>s</kbd></dt><dd>zoom in, zoom out (also the wheel)</dd>
<dt><kbd>a</kbd> <kbd>d</kbd></dt><dd>earlier, later (also dragging)</dd>
<dt><kbd>f</kbd> <kbd>0</kbd></dt><dd>zoom to what is selected, show everything</dd>
<dt><kbd>e</kbd> <kbd>c</kbd></dt><dd>unfold all, fold all</dd>
<dt><kbd>/</kbd></dt><dd>search</dd>
<dt><kbd>Esc</kbd></dt><dd>select nothing</dd>
</dl></form></dialog>`;

/** JSON that cannot close the element that contains it. */
const embedded = (recording: Recording): string => JSON.stringify(recording).replaceAll('<', '\\u003c');

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
