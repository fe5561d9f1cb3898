import type { Piece } from './piece.ts'

export type LinkKind = 'meet' | 'zoom' | 'teams' | 'webex' | 'jitsi' | 'whereby' | 'skype' | 'phone' | 'other'

export interface MeetingLink extends Piece {
  kind: LinkKind
}

const HOSTS: readonly (readonly [LinkKind, RegExp])[] = [
  ['meet', /^https:\/\/(?:meet\.google\.com\/[\w-]|g\.co\/meet\/)/i],
  ['zoom', /^https:\/\/(?:[\w-]+\.)*zoom(?:gov)?\.(?:us|com)\/(?:j|my|w|s|wc)\//i],
  ['teams', /^https:\/\/(?:teams\.microsoft\.com\/(?:l\/meetup-join|meet)|teams\.live\.com\/meet)\//i],
  ['webex', /^https:\/\/[\w.-]+\.webex\.com\//i],
  ['jitsi', /^https:\/\/(?:meet\.jit\.si|[\w.-]*jitsi[\w.-]*|8x8\.vc)\//i],
  ['whereby', /^https:\/\/(?:[\w-]+\.)?whereby\.com\//i],
  ['skype', /^https:\/\/join\.skype\.com\//i],
  [
    'other',
    /^https:\/\/(?:[\w.-]*gotomeet(?:ing)?\.(?:com|me)|bluejeans\.com|[\w.-]*bbb[\w.-]*|app\.slack\.com\/huddle|discord\.gg)\//i,
  ],
]

const URL = /https:\/\/[^\s<>"'|)\]]{4,500}/gi
const DIAL =
  /\b(?:dial[- ]?in|call(?: me| us)?(?: at| on)?|phone|tel(?:ephone|efon)?|einwahl|ruf(?:en sie)? (?:mich )?(?:an )?(?:unter)?)\b[^\d+\n]{0,20}(\+?\d[\d\s()./-]{6,20}\d)/gi

/** Every way into a call that the text gives, in order. */
export const findLinks = (text: string): MeetingLink[] => {
  const found: MeetingLink[] = []
  for (const match of text.matchAll(URL)) {
    const url = match[0].replace(/[.,;:!?]+$/, '')
    const kind = HOSTS.find(([, pattern]) => pattern.test(url))?.[0]
    if (kind) found.push({ kind, text: url, offset: match.index })
  }
  for (const match of text.matchAll(DIAL)) {
    const number = match[1] as string
    found.push({ kind: 'phone', text: number.trim(), offset: match.index + match[0].indexOf(number) })
  }
  return found.sort((a, b) => a.offset - b.offset)
}
