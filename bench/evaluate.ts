/*
 * Evaluates the built-in language engine and compares it with common libraries: `npm run evaluate`. Also compares the
 * display of HTML mail with Chromium.
 * EVALUATION_DATA selects another folder with the same data sets.
 */

import { evaluateHtmlMails, MAX_DIFFERENCE, readOwnMails, readPublicMails } from './html-mails.ts'
import { hasItip, scoreItip } from './itip.ts'
import { scoreActing } from './nlu/act-scores.ts'
import {
  ctReadings,
  isChronoRight,
  isDucklingStart,
  isLibraryStart,
  isMicrosoftRight,
  readChrono,
  readGermanChrono,
  readMicrosoft,
} from './nlu/baselines.ts'
import { type CtCase, ctCases, isCtRight, readCt } from './nlu/ctparse.ts'
import { hasData, percent, type Rate, ROOT, rate } from './nlu/data.ts'
import {
  ducklingCore,
  ducklingDurations,
  ducklingHolidays,
  ducklingNegatives,
  isDucklingRight,
  isDurationRight,
  readDuckling,
} from './nlu/duckling.ts'
import {
  INTENT_SETS,
  type IntentSet,
  isHeldOut,
  type LabelledRequest,
  loadIntentSet,
  loadOwnRequests,
} from './nlu/intents.ts'
import { scoreLanguages } from './nlu/languages.ts'
import { scoreLetters } from './nlu/letters.ts'
import { asksWithLibraries, readWithLibraries } from './nlu/library-meetings.ts'
import { scoreKinds } from './nlu/mail-kinds.ts'
import {
  correlateRanks,
  gradeUrgency,
  type OwnMail,
  readOwnMails as readUnderstoodMails,
  scoreItems,
  scorePairs,
} from './nlu/own-mails.ts'
import { readPromiseMails, scorePromises } from './nlu/promises.ts'
import { isRecognizersRight, readRecognizers, recognizersCases } from './nlu/recognizers.ts'
import { isReplyRight, replyCases } from './nlu/replies.ts'
import { isRequestByRule, scoreRequests, trainLogisticRequests } from './nlu/requests.ts'
import { getOverallScore, hasTravelMails, printReservations } from './nlu/reservations.ts'
import {
  eventCases,
  f1,
  intentCases,
  isAddedByAssistant,
  readCase,
  readCaseByAssistant,
  scoreEventRequests,
  scoreEvents,
} from './nlu/smcalflow.ts'
import { readTaskDates } from './nlu/task-dates.ts'
import { printSlots } from './slots.ts'
import { evaluateUnderstanding } from './understanding/evaluate.ts'

type Figure = number | Rate | undefined

const formatFigure = (figure: Figure): string =>
  figure === undefined
    ? '–'
    : typeof figure === 'number'
      ? figure.toFixed(3)
      : `${percent(figure).toFixed(1)} %`

/** The rows of the table at the end. The figures of `tuning` include sets without a validation part. */
const summary: { name: string; tuning: Figure; validation: Figure }[] = []

const summarize = (name: string, tuning: Figure, validation?: Figure): void => {
  summary.push({ name, tuning, validation })
}

/** Prints a figure next to those of the baselines. */
const printRow = (name: string, ours: Figure, second?: Figure, third?: Figure): void => {
  summarize(name, ours)
  printColumns(name, ours, second, third)
}

/** Prints a figure of both parts. */
const printParts = (name: string, tuning: Figure, validation: Figure): void => {
  summarize(name, tuning, validation)
  printColumns(name, tuning, validation)
}

const printColumns = (name: string, ours: Figure, second?: Figure, third?: Figure): void => {
  console.log(
    `${name.padEnd(34)}${formatFigure(ours).padStart(9)}${formatFigure(second).padStart(11)}${formatFigure(third).padStart(11)}`,
  )
}

/** Prints the column headings of the baselines for the following rows. */
const printHeading = (second: string, third = ''): void => {
  console.log(`\n${''.padEnd(34)}${'ours'.padStart(9)}${second.padStart(11)}${third.padStart(11)}`)
}

/** Tells which sets are absent, so that a missing row is no surprise. */
const printAbsentSets = (): void => {
  const absent = [
    'datetime-duckling',
    'datetime-ctparse',
    'datetime-recognizers',
    'meeting-smcalflow',
    'email-intent',
    ...Object.values(INTENT_SETS).map(({ folder }) => folder),
    'reply-quoting',
    'slots',
    'travel-mails',
  ].filter((set) => !hasData(set))
  if (absent.length === 0) return
  console.log(`Skipped, because ${ROOT} does not have the data: ${absent.join(', ')}.`)
  console.log('EVALUATION_DATA selects another folder.')
}
printAbsentSets()

printHeading('chrono', 'microsoft')

if (hasData('datetime-duckling')) {
  const core = ducklingCore()
  printRow(
    `duckling core (${core.length})`,
    rate(core, (one) => isDucklingRight(one, readDuckling(one))),
    rate(core, (one) => isDucklingStart(readChrono, one)),
    rate(core, (one) => isDucklingStart(readMicrosoft, one)),
  )
  printRow(
    'duckling holidays',
    rate(ducklingHolidays(), (one) => isDucklingRight(one, readDuckling(one))),
  )
  const negatives = ducklingNegatives()
  const scoreSilence = (read: typeof readChrono) =>
    rate(negatives, (one) => read(one.text, one.ref, 'mdy').length === 0)
  printRow(
    `duckling negatives (${negatives.length})`,
    rate(negatives, (one) => readDuckling(one) === undefined),
    scoreSilence(readChrono),
    scoreSilence(readMicrosoft),
  )
  printRow('duckling durations', rate(ducklingDurations(), isDurationRight))
}

if (hasData('datetime-ctparse')) {
  const libraries =
    (read: typeof readChrono) =>
    (one: CtCase): boolean =>
      ctReadings(read, one).some((value) => isCtRight(one, value))
  for (const part of ['en', 'de_other'] as const) {
    const cases = ctCases(part)
    printRow(
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
    printRow(
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
  printRow(
    `meeting start (${scores.start.of})`,
    { ...scores.start, wrong: [] },
    rate(started, (one) => isLibraryStart(readChrono, one)),
    rate(started, (one) => isLibraryStart(readMicrosoft, one)),
  )
  const plain = scoreEvents(cases, readWithLibraries)
  printHeading('libraries')
  printRow(
    `meeting title, exact (${scores.title.of})`,
    { ...scores.title, wrong: [] },
    { ...plain.title, wrong: [] },
  )
  printRow('meeting people, F1', f1(scores.people), f1(plain.people))
  printRow('meeting place, F1', f1(scores.place), f1(plain.place))
  printRow('meeting duration, F1', f1(scores.duration), f1(plain.duration))
  printRow(
    'event request, F1',
    f1(scoreEventRequests(intentCases())),
    f1(scoreEventRequests(intentCases(), asksWithLibraries)),
  )
  // The assistant must also decide that a sentence adds something.
  const added = scoreEvents(cases, readCaseByAssistant)
  printHeading('reader')
  for (const name of ['start', 'title'] as const)
    printRow(
      `assistant, ${name} (${added[name].of})`,
      { ...added[name], wrong: [] },
      { ...scores[name], wrong: [] },
    )
  for (const name of ['people', 'place', 'duration'] as const)
    printRow(`assistant, ${name}, F1`, f1(added[name]), f1(scores[name]))
  printRow(
    'assistant, adds something, F1',
    f1(scoreEventRequests(intentCases(), isAddedByAssistant)),
    f1(scoreEventRequests(intentCases())),
  )
}

if (hasData('email-intent')) {
  const { f1: trained, accuracy, of } = scoreRequests()
  const rules = scoreRequests(isRequestByRule)
  const logistic = trainLogisticRequests()
  const plain = logistic ? scoreRequests(logistic) : undefined
  printHeading('rules', 'TF-IDF LR')
  printRow(`action items, F1 (${of})`, trained, rules.f1, plain?.f1)
  printRow('action items, accuracy', accuracy, rules.accuracy, plain?.accuracy)
}

/** Prints the figures for our own mails, each part alone. */
const printOwnMails = (): void => {
  console.log(`\n${''.padEnd(34)}${'tuning'.padStart(9)}${'validation'.padStart(11)}`)
  const printFile = (
    file: Parameters<typeof readUnderstoodMails>[0],
    name: string,
    score: (mails: readonly OwnMail[]) => Figure,
  ): void => {
    const { tuning, validation } = readUnderstoodMails(file)
    printParts(`${name} (${tuning.length}, ${validation.length})`, score(tuning), score(validation))
  }
  printFile('own', 'urgency, pairs of mails', (mails) => ({ ...scorePairs(gradeUrgency(mails)), wrong: [] }))
  printFile('own', 'urgency, ranks of mails', (mails) => correlateRanks(gradeUrgency(mails)))
  printFile('posts', 'urgency, ranks of posts', (mails) => correlateRanks(gradeUrgency(mails)))
  printFile('own', 'action items, F1', (mails) => f1(scoreItems(mails)))
  printFile('items', 'unseen action items, F1', (mails) => f1(scoreItems(mails)))
  printRow('language of a mail', scoreLanguages())
  for (const language of ['English', 'German'] as const)
    printRow(`letters, ${language}`, scoreLetters(language))
}
printOwnMails()

/** Prints the kinds found in our own mails. The last part is held out: nobody writes a pattern for its mails. */
const printKinds = (): void => {
  printHeading('validation', 'held out')
  for (const kind of ['phishing', 'emergency', 'dunning', 'ordinary'] as const)
    printColumns(
      `kind of a mail: ${kind}`,
      scoreKinds('train', kind),
      scoreKinds('validation', kind),
      scoreKinds('held', kind),
    )
  for (const kind of ['phishing', 'emergency', 'dunning', 'ordinary'] as const)
    summarize(`kind of a mail: ${kind}`, scoreKinds('validation', kind), scoreKinds('held', kind))
}
printKinds()

/** Prints the promises found in our own mails, each half alone. */
const printPromises = (): void => {
  const { tuning, validation } = readPromiseMails()
  const [first, second] = [scorePromises(tuning), scorePromises(validation)]
  printRow(`promises, precision (${tuning.length}, ${validation.length})`, first.precision, second.precision)
  printRow('promises, recall', first.recall, second.recall)
  printRow('promises, due day', first.days, second.days)
}
printPromises()

/** Prints whether the assistant acts on the requests of its business, and writes on nothing else. */
const printActing = (name: string, requests: readonly LabelledRequest[]): Record<string, Figure> => {
  const { acting, tool, kind, writes, wrong } = scoreActing(requests)
  const figures = {
    'F1 of acting': f1(acting),
    'right tool': { ...tool, wrong: [] },
    'right tool or question': { ...kind, wrong: [] },
    'writes outside': { ...writes, wrong: [] },
  }
  const columns = Object.values(figures).map((figure) => formatFigure(figure).padStart(16))
  console.log(`${`${name} (${requests.length})`.padEnd(30)}${columns.join('')}`)
  if (process.env.EVALUATION_SHOW === name) console.log(wrong.join('\n'))
  return figures
}

/** Prints a set of requests by parts. A folder with held-out sentences has one part. */
const printRequests = (name: string, requests: readonly LabelledRequest[], isOnePart: boolean): void => {
  const [tuning, validation] = isOnePart
    ? [undefined, printActing(`${name}, held out`, requests)]
    : (['tune', 'validation'] as const).map((part) =>
        printActing(
          `${name}, ${part}`,
          requests.filter((one) => one.part === part),
        ),
      )
  for (const figure of Object.keys(validation ?? {}))
    summarize(`${name}, ${figure}`, tuning?.[figure], validation?.[figure])
}

console.log(
  `\n${'acting on requests'.padEnd(30)}${['F1', 'right tool', 'or question', 'writes outside'].map((title) => title.padStart(16)).join('')}`,
)
for (const set of Object.keys(INTENT_SETS) as IntentSet[])
  if (hasData(INTENT_SETS[set].folder)) printRequests(set, loadIntentSet(set), isHeldOut(set))
printRequests('German', loadOwnRequests('german'), false)

printSlots()
printHeading('')
if (hasData('reply-quoting')) printRow('reply without history', rate(replyCases(), isReplyRight))
if (hasItip()) {
  const { messages, produce } = await scoreItip()
  printRow(`scheduling mails read (${messages.of})`, messages)
  printRow(`scheduling mails to send (${produce.of})`, produce)
}

printReservations()
for (const set of hasTravelMails() ? (['public', 'own'] as const) : (['own'] as const)) {
  const [tuning, validation] = (['tuning', 'validation'] as const).map((part) => getOverallScore(part, set))
  for (const figure of ['precision', 'recall'] as const)
    summarize(`reservations, ${set}, ${figure}`, tuning?.[figure], validation?.[figure])
}

/** Prints how many mails look as sent. */
const printHtmlMails = async (): Promise<void> => {
  console.log('\nHTML mail as sent: at most 2 % of the pixels differ'.padEnd(54))
  const found = readPublicMails()
  if (!found) console.log('html-mails: skipped, the data is absent')
  const sets = {
    'html-mails, tuning half': found?.tuning ?? [],
    'html-mails, validation half': found?.validation ?? [],
    'own newsletters and receipts': readOwnMails(),
  }
  for (const [name, mails] of Object.entries(sets)) {
    if (mails.length === 0) continue
    const results = await evaluateHtmlMails(mails)
    if (!results) {
      console.log('html-mails: skipped, there is no Chromium')
      return
    }
    const wrong = results.filter(({ difference }) => difference > MAX_DIFFERENCE)
    printRow(`${name} (${mails.length})`, {
      right: mails.length - wrong.length,
      of: mails.length,
      wrong: [],
    })
    for (const { name: file, difference } of wrong)
      console.log(`  ${file}: ${(100 * difference).toFixed(1)} % differ`)
    const accused = results.filter(({ visibleCalledHidden }) => visibleCalledHidden.length > 0)
    console.log(
      `  visible text called hidden: ${accused.length}, hidden text reported: ${
        results.filter(({ reported }) => reported !== null).length
      }`,
    )
  }
}
await printHtmlMails()
await evaluateUnderstanding([])

/** Prints all figures once more, in one table. */
const printSummary = (): void => {
  console.log(`\n${'SUMMARY'.padEnd(42)}${'tuning'.padStart(10)}${'validation'.padStart(12)}`)
  for (const { name, tuning, validation } of summary)
    console.log(
      `${name.padEnd(42)}${formatFigure(tuning).padStart(10)}${formatFigure(validation).padStart(12)}`,
    )
}
printSummary()
