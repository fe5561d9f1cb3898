import type { Insight } from './facts.ts'
import { classifyMail, findEvidence, isCertain, type Letter } from './kind.ts'
import { findHosts, isForged, isGenuine, senderHost } from './links.ts'

const MAX_FOUND = 5
const MAX_CHARACTERS = 50_000

/** Finds signs of phishing, each with the words that show it: forged hosts, and the sentence that asks. */
export const findPhishing = (letter: Letter, decision = classifyMail(letter)): Insight[] => {
  const text = letter.text.slice(0, MAX_CHARACTERS)
  const forged = findHosts(text).filter(({ host }) => isForged(host))
  const found = forged.map(({ text: words, offset }): Insight => ({ kind: 'phishing', text: words, offset }))
  if (isForged(senderHost(letter.from))) found.push({ kind: 'phishing', text: letter.from, offset: -1 })
  const isPhishing = decision.kind === 'phishing' && isCertain(decision) && !isGenuine(text, letter.from)
  const evidence = isPhishing ? findEvidence(text, 'phishing') : undefined
  if (evidence) found.push({ kind: 'phishing', ...evidence })
  return found.slice(0, MAX_FOUND)
}
