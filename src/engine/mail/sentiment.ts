import type { Token } from '../dates/tokens.ts'

export type Sentiment = 'positive' | 'neutral' | 'negative'

const list = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

const GOOD =
  list(`thanks thank great good excellent happy glad pleased love loved wonderful perfect awesome nice appreciate appreciated enjoy enjoyed
  excited fantastic congratulations congrats brilliant helpful delighted welcome best beautiful kind success successful impressed amazing
  danke toll gut super freue freuen schön großartig klasse hervorragend perfekt prima wunderbar glückwunsch gern gerne zufrieden erfreut hilfreich`)
const BAD =
  list(`bad unfortunately problem problems issue issues error failed failure disappointed disappointing frustrated frustrating angry upset
  unacceptable terrible horrible awful poor worst wrong broken complaint complain refund delay delayed late sorry apologize regret concerned concern
  worried unhappy annoyed missing lost damaged cancel ridiculous useless hate never rude
  leider problem probleme fehler schlecht enttäuscht ärgerlich verärgert unzufrieden beschwerde reklamation defekt kaputt falsch verspätet mangel
  unverschämt inakzeptabel bedauerlich sorge schade mist`)
const NOT = list('not no never none nothing hardly without kein keine keinen nicht nie ohne')

const MOST_WORDS = 4000

/** By the words, each turned round by a "not" before it. */
export const sentimentOf = (tokens: readonly Token[]): { sentiment: Sentiment; score: number } => {
  const words = tokens.filter(({ kind }) => kind === 'word').slice(0, MOST_WORDS)
  let [good, bad] = [0, 0]
  for (let index = 0; index < words.length; index++) {
    const { text } = words[index] as Token
    const isGood = GOOD.has(text)
    if (!isGood && !BAD.has(text)) continue
    const turned = words
      .slice(Math.max(0, index - 3), index)
      .some(({ text: before }) => NOT.has(before) || before.endsWith("n't"))
    if (isGood) {
      good += turned ? 0 : 1
      bad += turned ? 1 : 0
    } else {
      // "no problem" is good news, but quiet.
      good += turned ? 0.3 : 0
      bad += turned ? 0 : 1.3
    }
  }
  const score = good + bad === 0 ? 0 : Math.round(((good - bad) / (good + bad + 1)) * 100) / 100
  return { sentiment: score >= 0.3 ? 'positive' : score <= -0.3 ? 'negative' : 'neutral', score }
}
