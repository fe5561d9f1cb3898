import type { Mark } from './intent.ts'
import {
  addressee,
  draft,
  MAIL,
  namesOf,
  phraseAt,
  pickEmail,
  type Rule,
  rangeOf,
  toEvidence,
  toPastTime,
  withoutArticle,
} from './request.ts'

/** "let Bob know that …", "tell Ana I'll be late": a message to somebody else. */
const TELL =
  /^(?:let\s+(?!me\b|us\b|'s)((?:my |the )?[\p{L}.'-]+)\s+know|(?:tell|inform)\s+(?!me\b|us\b|my (?:day|week|schedule)\b)((?:my |the )?[\p{L}.'-]+)|(?:sage?|schreibe?)\s+(?!mir\b|uns\b|das\b|den\b|die\b|eine?\b|an\b)(\p{L}[\p{L}.'-]+)(?=,?\s+dass\b))\s*,?\s*(?:(?:that|dass)\s+)?(?=\S)/iu

const WHOM = "((?:(?:my|the|all|dem|den|der|das|die)\\s+)?[\\p{L}.'-]+(?:\\s+(?:and|und)\\s+[\\p{L}.'-]+)?)"
/**
 * A request without a message, such as "tell the team". The message is the change that the previous request
 * made.
 */
const TELL_OF_IT = new RegExp(
  `^(?:(?:tell|inform|notify|update|e-?mail|message|ping|informiere?|benachrichtige?)\\s+(?!me\\b|us\\b|mich\\b|uns\\b)${WHOM}|let\\s+(?!me\\b|us\\b)${WHOM}\\s+know|(?:sage?|gib|gebe?)\\s+(?!mir\\b|uns\\b)${WHOM}\\s+bescheid)(?:\\s+(?:about (?:it|that|this)|of it|davon|darüber|too|as well|auch))?[.!]?$`,
  'iu',
)

/** Matches clauses that may follow a change to an event. */
export const TELLS =
  /^(?:tell|inform|notify|update|let\s+\S+(?:\s+\S+)?\s+know|informiere?|benachrichtige?|(?:sage?|gib|gebe?)\s.{1,40}\sbescheid)(?![\p{L}])/iu

const MOVED =
  /^(?:move|reschedule|postpone|push|shift|bring|delay)\s+(.{1,80}?)\s+(?:back\s+)?to\s+(.{1,60})$/iu
const CANCELLED = /^(?:cancel|call off|scrap|drop)\s+(.{1,80})$/iu
const GERMAN_MOVED = /^(?:verschiebe?|verlege?|schiebe?)\s+(.{1,80}?)\s+(?:auf|in)\s+(.{1,60})$/iu
const GERMAN_CANCELLED = /^(?:sage?\s+(.{1,80})\s+ab|(?:streiche?|storniere?)\s+(.{1,80}))$/iu

/** Replaces "my" with "our", because the message goes to other participants. */
const replaceMyWithOur = (words: string): string =>
  words.replace(/^my\b/iu, 'our').replace(/^mein(?=e?[nrms]?\b)/iu, 'unser')

/** Formats a change to an event as a message. */
const describeChange = (lastChange: string): string | undefined => {
  const moved = MOVED.exec(lastChange)
  if (moved) return `${replaceMyWithOur(moved[1] as string)} is moved to ${moved[2]}`
  const cancelled = CANCELLED.exec(lastChange)
  if (cancelled) return `${replaceMyWithOur(cancelled[1] as string)} is cancelled`
  const later = GERMAN_MOVED.exec(lastChange)
  if (later) return `neuer Termin (${replaceMyWithOur(later[1] as string)}): ${later[2]}`
  const off = GERMAN_CANCELLED.exec(lastChange)
  return off ? `abgesagt: ${replaceMyWithOur((off[1] ?? off[2]) as string)}` : undefined
}

const bareName = (name: string): string => name.replace(/^(?:my|the|all|dem|den|der|das|die)\s+(?=\S)/iu, '')

/**
 * Turns reported speech into a sentence: "asking for the slides" becomes a request. After German "dass" the
 * verb comes last, so the clause needs an introduction.
 */
export const toStatement = (lead: string, words: string): string => {
  if (/\bdass\s*$/iu.test(lead)) return `ich wollte nur sagen, dass ${words}`
  if (/\basking\b.*\bfor\b/iu.test(lead)) return `I would like to ask you for ${words}`
  return /\basking\b.*\b(?:if|whether)\b/iu.test(lead) ? `I would like to know whether ${words}` : words
}

export const draftMessage: Rule = ({ text, lastChange }) => {
  const ofIt = lastChange === undefined ? null : TELL_OF_IT.exec(text)
  if (ofIt && lastChange !== undefined) {
    const says = describeChange(lastChange)
    const to = bareName((ofIt[1] ?? ofIt[2] ?? ofIt[3]) as string)
    return draft('draft_email', { to, ...(says ? { says } : {}) }, 0.9)
  }
  const message = TELL.exec(text)
  const name = message?.[1] ?? message?.[2] ?? message?.[3]
  if (!message || !name || /^(?:me|us|a|the|him|her|them)$/iu.test(name)) return undefined
  const says = text
    .slice(message[0].length)
    .trim()
    .replace(/[.!]+$/u, '')
  if (!/\s/u.test(says) || /^(?:a |an )?(?:joke|story|about)\b/iu.test(says)) return undefined
  return draft('draft_email', { to: bareName(name), says: toStatement(message[0], says), send: true }, 0.9)
}

const MAILS = new RegExp(
  `(?<![\\p{L}])(?:${MAIL.slice(3, -1)}|inbox|posteingang|postfach|post)(?![\\p{L}])`,
  'iu',
)
const MARKS: readonly (readonly [Mark, RegExp])[] = [
  ['unread', /\b(?:unread|new|unseen|ungelesen(?:e[nrs]?)?|neue[nrs]?|haven'?t (?:read|seen|opened))\b/iu],
  [
    'urgent',
    /\b(?:urgent|important|critical|dringend(?:e[nrs]?)?|wichtig(?:e[nrs]?)?|pressing|priority|needs? (?:my |your )?attention)\b/iu,
  ],
  ['starred', /\b(?:starred|flagged|favou?rite|markierten?|gemerkten?)\b/iu],
  [
    'unanswered',
    /\b(?:unanswered|unbeantwortet(?:e[nrs]?)?|nicht beantwortet|noch keine antwort|(?:have(?:n'?t| not)|did(?:n'?t| not)) (?:i )?(?:yet )?(?:answered|answer|replied|reply|responded)|(?:need|needs|await(?:s|ing)?|waiting for|require) (?:an? |my )?(?:answer|reply|response)|i (?:still )?(?:need|have) to (?:answer|reply|respond)|should i (?:answer|reply)|i should (?:still )?(?:answer|reply|respond))\b/iu,
  ],
]

export const marksIn = (text: string): Mark[] =>
  MARKS.filter(([, form]) => form.test(text)).map(([mark]) => mark)

const TAGGED =
  /\b(?:tagged|labell?ed|with (?:the )?(?:tag|label)|tag|label|mit (?:dem )?(?:tag|label|etikett))(?:\s+(?:as|with))?\s+["“#]?([\p{L}\d][\p{L}\d_/-]*)/iu

/** Matches a verb that tags or flags an email, the words after it, and the tag. */
const TAG =
  /^(?:tag|label|flag|categori[sz]e|file|markiere?|kennzeichne|etikettiere|mark)\s+(.+?)\s+(?:as|with|under|als|mit)\s+["“#]?([\p{L}\d][\p{L}\d _/-]{0,49}?)["”]?[.!]?$/iu
const ADD_TAG =
  /^(?:add|put|apply|attach|remove|take|füge?|setze?|entferne?)\s+(?:the\s+|a\s+|das\s+|den\s+)?(?:(?:tag|label)\s+["“#]?([\p{L}\d_/-]+)["”]?|["“#]?([\p{L}\d_/-]+)["”]?\s+(?:tag|label))\s+(?:to|on|onto|from|off|zu|zur|von|der|an)\s+(.+)$/iu
const STATE =
  /^(?:un)?(?:star|archive|archiviere|flag|pin)\s+(.+)$|^(?:put|move|verschiebe?)\s+(.+?)\s+(?:in(?:to)?|to|ins?) (?:the |my )?archive?\.?$/iu
const READ_STATE = /^(?:read|seen|done with|gelesen)$/iu
const UNREAD_STATE = /^(?:unread|new|ungelesen)$/iu
const STAR_STATE = /^(?:starred|flagged|favou?rite)$/iu
const TASKLIKE = /\b(?:tasks?|to-?dos?|done|complete[d]?|finished|aufgaben?|erledigt)\b/iu

const EVERYTHING = /^(?:everything|all|alles)\s+(?:from|by|about|von|über)\s/iu

const tagEmail: Rule = (request) => {
  const { text } = request
  const added = ADD_TAG.exec(text)
  if (added && !TASKLIKE.test(added[3] as string)) {
    const { pick, evidence } = pickEmail(
      request,
      request.timeless.slice(text.length - (added[3] as string).length),
    )
    const remove = /^(?:remove|take|entferne)/iu.test(text)
    const tag = (added[1] ?? added[2]) as string
    return draft('tag_email', { email: pick, tag, ...(remove ? { remove } : {}) }, 0.9, evidence)
  }
  const tagged = TAG.exec(text)
  const isTask = TASKLIKE.test(text) && (/^mark/iu.test(text) || !MAILS.test(text))
  if (tagged && !isTask) {
    const isMail =
      MAILS.test(tagged[1] as string) ||
      EVERYTHING.test(tagged[1] as string) ||
      /^(?:tag|label|categ|etik)/iu.test(text)
    if (!isMail) return undefined
    const named = (tagged[2] as string).trim()
    const { pick, evidence } = pickEmail(request, text.slice(0, text.lastIndexOf(named)))
    const state = READ_STATE.test(named)
      ? { read: true }
      : UNREAD_STATE.test(named)
        ? { read: false }
        : STAR_STATE.test(named)
          ? { starred: true }
          : { tag: named.replace(/\s+(?:tag|label)$/iu, '') }
    return draft('tag_email', { email: pick, ...state }, 0.93, evidence)
  }
  const state = STATE.exec(text)
  const stated = state?.[1] ?? state?.[2] ?? ''
  if (state && (MAILS.test(stated) || EVERYTHING.test(stated))) {
    const { pick, evidence } = pickEmail(request)
    const undone = /^un/iu.test(text)
    const what = /^(?:un)?archiv|^(?:put|move|verschiebe)/iu.test(text)
      ? { archive: !undone }
      : { starred: !undone }
    return draft('tag_email', { email: pick, ...what }, 0.9, evidence)
  }
  return undefined
}

const DELETE = /^(?:delete|remove|trash|erase|throw away|get rid of|clear|lösche?|entferne)\b/iu

/** Kinds of email that need no further noun. */
const MAIL_KIND = /\b(spam|junk|promotions|werbung)\b(?!\s+(?:folder|filter|drawer|food))/iu

const deleteEmail: Rule = (request) => {
  const { text } = request
  if (!DELETE.test(text)) return undefined
  const kind = MAIL_KIND.exec(text)?.[1]
  if (!MAILS.test(text) && !kind) return undefined
  const { pick, evidence } = pickEmail(request)
  if (kind && !MAILS.test(text))
    return draft('delete_email', { email: { ...pick, about: kind.toLowerCase(), all: true } }, 0.9, evidence)
  return draft('delete_email', { email: pick }, 0.9, evidence)
}

const REPLY =
  /^(?:(?:draft|write|prepare|compose|send|make|schreibe?|entwirf|verfasse|formuliere|erstelle)\s+(?:me\s+|mir\s+|up\s+)?(?:an?\s+|the\s+|eine?n?\s+)?(?:(?:short|quick|polite|formal|friendly|brief|kurze|höfliche)\s+)*(?:answer|reply|response|antwort)|reply|answer|respond|write back|antworte|beantworte)(?![\p{L}])/iu
const WRITE = new RegExp(
  `^(?:(?:draft|write|compose|send|prepare|start|create|make|new|schreibe?|verfasse|entwirf|sende?|schicke?|erstelle)\\s+(?:me\\s+|mir\\s+|up\\s+)?(?:(?:an?|the|new|eine?n?|neue|quick|short|polite|thank[- ]you|another|follow[- ]?up|draft)\\s+)*(?:${MAIL.slice(3, -1)}|draft|letter|brief|note(?= to))|e-?mail|mail|message)(?![\\p{L}])`,
  'iu',
)
/** "send Ana an e-mail", "schreib Ana eine Mail". */
const WRITE_WHOM = new RegExp(
  `^(?:send|write|draft|drop|shoot|schreibe?|sende?|schicke?)\\s+(?!an?\\s)(.{1,60}?)\\s+(?:an?|eine?n?|the)\\s+(?:(?:quick|short|polite|kurze|new|thank[- ]you|follow[- ]?up)\\s+)*(?:${MAIL.slice(3, -1)}|note|line)(?![\\p{L}])`,
  'iu',
)
/** "write Ana a reply", "schreib Ben eine Antwort". */
const REPLY_WHOM =
  /^(?:send|write|draft|schreibe?|sende?|schicke?)\s+(?!an?\s|me\b|mir\b|the\b)(.{1,60}?)\s+(?:an?|the|eine)\s+(?:(?:short|quick|polite|formal|friendly|brief|kurze|höfliche)\s+)*(?:answer|reply|response|antwort)(?![\p{L}])/iu
const SAYS =
  /(?:\s(?:saying(?: that)?|with the words|that says|to say(?: that)?|to tell (?:him|her|them)(?: that)?|telling (?:him|her|them)(?: that)?|and (?:say|tell (?:him|her|them)|ask(?: him| her| them)?)(?: that)?|asking (?:him|her|them )?(?:if|whether|for)?|that|dass|und (?:sag|frag)e?(?: ihm| ihr)?)|\s?:)\s+(?=\S)/iu
/** "email Bob that I'm late", "mail Ana about the contract". */
const MAIL_WHOM =
  /^(?:[eE]-?[mM]ail|[mM]ail|[mM]essage|[wW]rite to|[sS]chreibe? an|(?:[wW]rite|[sS]chreibe?)(?=\s+\p{Lu}))\s+(?=\S)/u

const CC =
  /,?\s+(?:(?:and|und|with|mit)\s+)?cc:?\s+(?:(?:to|an)\s+)?(\p{L}[^:,;]*?)(?=\s*[:,;]|\s+(?:that|saying|dass)\s|[.!]?$)/iu

const cut = (text: string, { 0: words, index }: RegExpExecArray): string =>
  text.slice(0, index) + text.slice(index + words.length)

const draftEmail: Rule = (request) => {
  const message = draftMessage(request)
  if (message) return message
  const copied = CC.exec(request.text)
  const { text, timeless } = copied
    ? { text: cut(request.text, copied), timeless: cut(request.timeless, copied) }
    : request
  const reply = REPLY.exec(text)
  const said = SAYS.exec(text)
  const spoken = said ? bareWords(text.slice(said.index + said[0].length)) : undefined
  const says = spoken && said ? toStatement(said[0], spoken) : undefined
  const head = said ? timeless.slice(0, said.index) : timeless
  const more = {
    ...(says ? { says } : {}),
    ...(copied ? { cc: namesOf(copied[1] as string) } : {}),
    ...(/^(?:send|sende?|schicke?|e-?mail|mail|message)\b/iu.test(text) ? { send: true as const } : {}),
  }
  const answered = REPLY_WHOM.exec(head)?.[1]
  if (answered) return draft('draft_email', { reply: { sender: answered }, ...more }, 0.92)
  const proved = (argument: string, piece: { text: string; offset: number } | undefined) =>
    piece ? toEvidence(request, argument, [piece]) : []
  if (reply) {
    const { pick, evidence } = pickEmail(request, head)
    const to = pick.sender ? undefined : (addressee(head, request.german) ?? objectOf(head, reply[0].length))
    const sender = pick.sender ?? to?.text.replace(/['’]s?\s.*$/u, '')
    const chosen = { ...pick, ...(sender && !isMailWord(sender) ? { sender } : {}) }
    return draft('draft_email', { reply: chosen, ...more }, 0.92, [...evidence, ...proved('reply', to)])
  }
  const whom = WRITE_WHOM.exec(head)
  const written = whom ?? WRITE.exec(head)
  const direct = written ? undefined : MAIL_WHOM.exec(head)
  if (!written && !direct) return undefined
  const { pick } = pickEmail(request, head)
  const to = whom
    ? { text: whom[1] as string, offset: head.indexOf(whom[1] as string) }
    : (addressee(head, request.german) ??
      objectOf(head, (WRITE.exec(head)?.[0] ?? MAIL_WHOM.exec(head)?.[0] ?? '').length))
  if (!to && !pick.about && !says && direct) return undefined
  const name = withoutArticle(to)
  return draft(
    'draft_email',
    { ...(name ? { to: name.text } : {}), ...(pick.about ? { about: pick.about } : {}), ...more },
    direct && !/^e-?mail/iu.test(text) ? 0.75 : 0.9,
    proved('to', name),
  )
}

const isMailWord = (words: string): boolean =>
  new RegExp(
    `^(?:(?:this|that|the|last|latest|diese|letzte)\\s+)*(?:${MAIL.slice(3, -1)}|it|him|her|them)$`,
    'iu',
  ).test(words)

const bareWords = (text: string): string => text.trim().replace(/[.!]+$/u, '')

/** Finds the recipient after a verb of writing: "reply to Ana", "email Bob that …". */
const objectOf = (head: string, from: number) => {
  const rest =
    /^\s*(?:to\s+|an\s+|auf\s+)?(?:the\s+|my\s+|die\s+|das\s+)?/iu.exec(head.slice(from))?.[0].length ?? 0
  const piece = phraseAt(
    head,
    from + rest,
    /[|?!;,\n]|\.(?=\s|$)|\s(?:about|regarding|that|saying|re|and|asking|to|for|über|wegen|dass|und|on|with)(?=\s|$)/iu,
  )
  return piece && !isMailWord(piece.text) ? piece : undefined
}

const READ =
  /^(?:read(?: out| me)?|open|lies|lese|vorlesen|öffne|show me|summari[sz]e|sum up|fasse|what does|what did|what was|what has|was hat|was schreibt|was steht in|what is in|what's in|tell me what)\b/iu
const SAY =
  /\b(?:write|wrote|written|say|says|said|mail(?:ed)? (?:me|us)|reply|replied|answer|answered|respond|responded|ask|asked|want|geschrieben|geantwortet|schreibt|want from me)\b/iu

const readEmail: Rule = (request) => {
  const { text } = request
  if (!READ.test(text)) return undefined
  const { pick, evidence } = pickEmail(request)
  const mails = MAILS.test(text)
  const aloud = /^(?:read|open|lies|lese|öffne|summari|sum up|fasse)/iu.test(text)
  if (
    aloud &&
    mails &&
    !/\b(?:all|my|unread|new|meine)\s+(?:\p{L}+\s+)?(?:e-?mails?|mails?|messages|nachrichten|inbox)\b/iu.test(
      text,
    )
  )
    return draft('read_email', pick, 0.9, evidence)
  if (
    /^(?:what|was|tell me)/iu.test(text) &&
    pick.sender &&
    (SAY.test(text) || mails) &&
    !/\b(?:mails|emails|messages)\b/iu.test(text)
  )
    return draft('read_email', pick, SAY.test(text) ? 0.9 : 0.8, evidence)
  if (
    /^show me/iu.test(text) &&
    /\b(?:the|last|latest|letzte)\s+(?:\p{L}+\s+)?(?:e-?mail|mail|message)\b/iu.test(text) &&
    mails
  )
    return draft('read_email', pick, 0.8, evidence)
  return undefined
}

const FIND =
  /^(?:show|list|summari[sz]e|sum up|fasse?|unsubscribe|find|search|look|check|get|see|display|view|give|pull up|go through|which|what|any|are there|is there|do i have|did i|have i|has|did|who|where|anything|tell me|read|open|zeige?|suche?|finde?|liste|welche|gibt es|habe ich|hab ich|wer|hat|ist|sind|let me (?:see|know)|fetch|i(?:'m| am) looking for)(?![\p{L}])/iu
const WHO_WROTE =
  /^(?:who|wer|has|did|hat|have)\b.*\b(?:written|wrote|write|mailed|emailed|email|mail|sent me|replied|reply|answered|answer me|respond(?:ed)?|geschrieben|geantwortet|waiting for (?:me|an answer|my)|wartet)\b/iu
/** "anything new from Ana". */
const NEWS =
  /^(?:(?:is there |do i have |have i got |gibt es )?(?:anything|something|any news|news|etwas|was))\b.{0,12}\b(?:new|news|neues)?\b.{0,6}\b(?:from|von)\s+(?!(?:today|yesterday|last|this|the (?:news|web))\b)\p{L}/iu
/** Asks who waits for an answer, without naming email. */
const WAITS =
  /^(?:who|whom|what|which (?:people|ones)|is any(?:one|body)|does any(?:one|body)|any(?:one|body)|wer|wem|was|wartet)(?:'s|’s)?\b.{0,40}\b(?:wait(?:s|ing)? (?:for|on) (?:an? |my )?(?:answers?|repl(?:y|ies)|response|me\b)|wait(?:s|ing)? to hear (?:back )?from me|(?:have|has|need|ought|got|supposed) (?:i )?to (?:answer|reply to|reply|respond to|respond|get back to|write back)|(?:must|should) i (?:still )?(?:answer|reply|respond|get back)|(?:have(?:n'?t| not)?|did(?:n'?t| not)) i (?:still |yet |not )*(?:answer(?:ed)?|repl(?:y|ied)|respond(?:ed)?)|(?:do i |i )(?:still )?owe (?:an? )?(?:answer|reply|response|mail)|owe(?:s)? (?:an? )?(?:answer|reply|response)|wartet(?: noch)? auf (?:eine |meine )?antwort|wartet(?: noch)? auf mich|(?:muss|sollte) ich(?: noch)? (?:antworten|zurückschreiben)|schulde ich(?: noch)? (?:eine )?antwort|habe ich(?: noch)? nicht beantwortet|auf (?:eine |meine )?antwort)\b/iu
const ATTACHED = /\b(?:attachments?|attached|anhang|anhängen?|pdfs?)\b/iu

/** "When did I last hear from Olga". */
const HEARD_FROM =
  /^(?:when (?:did|have) (?:i|we) (?:last )?(?:hear|heard|get (?:an? )?(?:e-?mail|mail|message|reply)) (?:last )?from|wann (?:habe|hab) ich (?:zuletzt|das letzte mal) (?:etwas )?von)\s+(?:my |the )?(\p{L}[\p{L}.'-]*(?:\s\p{Lu}[\p{L}.'-]*)?)(?:\s+(?:last|gehört))?\??$/iu

const findEmails: Rule = (request) => {
  const { text, context } = request
  if (/^(?:what|was)(?:'s| is| ist)? (?:urgent|pressing|dringend)\??$/iu.test(text))
    return draft('find_emails', { marks: ['urgent'] }, 0.92)
  const heard = HEARD_FROM.exec(text)?.[1]
  if (heard) return draft('find_emails', { sender: heard, latest: true }, 0.92)
  if (WAITS.test(text)) return draft('find_emails', { marks: ['unanswered'] }, 0.93)
  const wrote = WHO_WROTE.test(text)
  const noun = MAILS.test(text)
  const bare =
    /^(?:my |meine )?(?:(?:unread|urgent|new|starred|important|latest|recent|ungelesene|neue|dringende)\s+)*(?:e-?mails?|mails?|messages|inbox|posteingang)\b/iu.test(
      text,
    )
  const news = NEWS.test(text)
  if (!(noun && (FIND.test(text) || bare)) && !wrote && !news) return undefined
  const { pick, evidence } = pickEmail(request)
  const searched = /\b(?:for|nach)\s+(?=[^\s|])/iu.exec(request.timeless)
  const about =
    pick.about ??
    (searched && /^(?:search|look|check|find|suche?|durchsuche)/iu.test(text)
      ? phraseAt(request.timeless, searched.index + searched[0].length)?.text
      : undefined)
  const marks = marksIn(news ? text.replace(/\b(?:news|neues)\b/giu, 'new') : text)
  const tag = TAGGED.exec(text)?.[1]
  const time = toPastTime(
    request.times.find(({ kind }) => kind !== 'duration'),
    context.now,
  )
  return draft(
    'find_emails',
    {
      ...pick,
      ...(about && !isMailWord(about) ? { about } : {}),
      ...(marks.length > 0 ? { marks } : {}),
      ...(tag ? { tag } : {}),
      ...(ATTACHED.test(text) ? { withAttachment: true as const } : {}),
      ...rangeOf(time, context),
    },
    noun || news || pick.sender || marks.length > 0 ? 0.92 : 0.8,
    [...evidence, ...(time ? toEvidence(request, 'from', [time]) : [])],
  )
}

export const MAIL_RULES: { tag: Rule; remove: Rule; write: Rule; read: Rule; find: Rule } = {
  tag: tagEmail,
  remove: deleteEmail,
  write: draftEmail,
  read: readEmail,
  find: findEmails,
}
