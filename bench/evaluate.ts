/*
 * How well the built-in engine understands, beside the obvious libraries in the same run: `npm run evaluate`.
 * EVALUATION_DATA names another folder with the same sets.
 */
import { SILENT, scoreActing } from './engine/acting.ts'
import {
  ctReadings,
  isChronoRight,
  isDucklingStart,
  isLibraryStart,
  isMicrosoftRight,
  readChrono,
  readGermanChrono,
  readMicrosoft,
} from './engine/baselines.ts'
import { type CtCase, ctCases, isCtRight, readCt } from './engine/ctparse.ts'
import { hasData, percent, type Rate, rate } from './engine/data.ts'
import {
  ducklingCore,
  ducklingDurations,
  ducklingFeasts,
  ducklingNegatives,
  isDucklingRight,
  isDurationRight,
  readDuckling,
} from './engine/duckling.ts'
import {
  INTENT_SETS,
  type IntentSet,
  scoreIntents,
  scoreLinearPart,
  scoreTextbook,
} from './engine/intents.ts'
import { readByLibraries, wantsByLibraries } from './engine/library-meetings.ts'
import { isRecognizersRight, readRecognizers, recognizersCases } from './engine/recognizers.ts'
import { isReplyRight, replyCases } from './engine/replies.ts'
import { isRequestByRule, scoreRequests, textbookRequests } from './engine/requests.ts'
import { eventCases, f1, intentCases, readCase, scoreEvents, scoreWishes } from './engine/smcalflow.ts'
import { readTaskDates } from './engine/task-dates.ts'

type Figure = number | Rate | undefined

const say = (figure: Figure): string =>
  figure === undefined
    ? '–'
    : typeof figure === 'number'
      ? figure.toFixed(3)
      : `${percent(figure).toFixed(1)} %`

const row = (name: string, ours: Figure, second?: Figure, third?: Figure): void => {
  console.log(
    `${name.padEnd(34)}${say(ours).padStart(9)}${say(second).padStart(11)}${say(third).padStart(11)}`,
  )
}

/** What stands beside ours in the rows that follow. */
const heading = (second: string, third = ''): void => {
  console.log(`\n${''.padEnd(34)}${'ours'.padStart(9)}${second.padStart(11)}${third.padStart(11)}`)
}

heading('chrono', 'microsoft')

if (hasData('datetime-duckling')) {
  const core = ducklingCore()
  row(
    `duckling core (${core.length})`,
    rate(core, (one) => isDucklingRight(one, readDuckling(one))),
    rate(core, (one) => isDucklingStart(readChrono, one)),
    rate(core, (one) => isDucklingStart(readMicrosoft, one)),
  )
  row(
    'duckling feasts',
    rate(ducklingFeasts(), (one) => isDucklingRight(one, readDuckling(one))),
  )
  const negatives = ducklingNegatives()
  const silent = (read: typeof readChrono) =>
    rate(negatives, (one) => read(one.text, one.ref, 'mdy').length === 0)
  row(
    `duckling negatives (${negatives.length})`,
    rate(negatives, (one) => readDuckling(one) === undefined),
    silent(readChrono),
    silent(readMicrosoft),
  )
  row('duckling durations', rate(ducklingDurations(), isDurationRight))
}

if (hasData('datetime-ctparse')) {
  const libraries =
    (read: typeof readChrono) =>
    (one: CtCase): boolean =>
      ctReadings(read, one).some((value) => isCtRight(one, value))
  for (const part of ['en', 'de_other'] as const) {
    const cases = ctCases(part)
    row(
      `ctparse ${part} (${cases.length})`,
      rate(cases, (one) => isCtRight(one, readCt(one))),
      rate(cases, libraries(part === 'en' ? readChrono : readGermanChrono)),
      part === 'en' ? rate(cases, libraries(readMicrosoft)) : undefined,
    )
  }
}

if (hasData('datetime-recognizers'))
  for (const part of ['model', 'calendar_mode', 'tasks_mode']) {
    const cases = recognizersCases(part)
    const read = part === 'tasks_mode' ? readTaskDates : readRecognizers
    row(
      `recognizers ${part} (${cases.length})`,
      rate(cases, (one) => isRecognizersRight(one, read(one))),
      rate(cases, isChronoRight),
      rate(cases, isMicrosoftRight),
    )
  }

if (hasData('meeting-smcalflow')) {
  const cases = eventCases()
  const scores = scoreEvents(cases, readCase)
  const started = cases.filter(({ gold }) => gold.start && !gold.unscored.includes('start'))
  row(
    `meeting start (${scores.start.of})`,
    { ...scores.start, wrong: [] },
    rate(started, (one) => isLibraryStart(readChrono, one)),
    rate(started, (one) => isLibraryStart(readMicrosoft, one)),
  )
  const plain = scoreEvents(cases, readByLibraries)
  heading('libraries')
  row(
    `meeting title, exact (${scores.title.of})`,
    { ...scores.title, wrong: [] },
    { ...plain.title, wrong: [] },
  )
  row('meeting people, F1', f1(scores.people), f1(plain.people))
  row('meeting place, F1', f1(scores.place), f1(plain.place))
  row('meeting duration, F1', f1(scores.duration), f1(plain.duration))
  row('create or not, F1', f1(scoreWishes(intentCases())), f1(scoreWishes(intentCases(), wantsByLibraries)))
}

if (hasData('email-intent')) {
  const { f1: learnt, accuracy, of } = scoreRequests()
  const rules = scoreRequests(isRequestByRule)
  const textbook = textbookRequests()
  const plain = textbook ? scoreRequests(textbook) : undefined
  heading('rules', 'TF-IDF LR')
  row(`action items, F1 (${of})`, learnt, rules.f1, plain?.f1)
  row('action items, accuracy', accuracy, rules.accuracy, plain?.accuracy)
}

for (const set of Object.keys(INTENT_SETS) as IntentSet[]) {
  if (!hasData(INTENT_SETS[set].folder)) continue
  const [ours, textbook] = [scoreIntents(set), scoreTextbook(set)]
  row(`intents ${set} (${ours.within.of})`, ours.within, undefined, textbook?.within)
  const linear = scoreLinearPart(set)
  if (linear) row('  without its networks', linear.within)
  if (ours.outside.of > 0)
    row(`  outside found (${ours.outside.of})`, ours.outside, undefined, textbook?.outside)
  row('  acts where it should, F1', f1(scoreActing(set)), f1(scoreActing(set, SILENT)))
}

heading('')
if (hasData('reply-quoting')) row('reply without its history', rate(replyCases(), isReplyRight))
