import type { ReactNode } from 'react'
import * as t from '#locale/shell'
import { Dialog } from '../ui/dialog.tsx'
import { RichText } from '../ui/rich-text.tsx'
import { isMac } from './early-shortcuts.ts'
import { NAVIGATION } from './navigation.ts'
import { ASSISTANT_KEYS, PALETTE_KEYS } from './shortcuts.ts'
import './shortcut-help.css'

const ALT = isMac ? '⌥' : 'Alt'

type Shortcuts = readonly (readonly [label: string, keys: readonly string[]])[]

/** Descriptions of the `useKeys` shortcuts per page. */
const PAGE_SHORTCUTS: readonly { title: string; shortcuts: Shortcuts }[] = [
  {
    title: t.pages.mail,
    shortcuts: [
      [t.nextAndPrevious, ['j', 'k']],
      [t.open, ['Enter', 'o']],
      [t.select, ['x']],
      [t.selectAll, ['*']],
      [t.archive, ['e']],
      [t.moveToFolder, ['v']],
      [t.snooze, ['h']],
      [t.snoozeChoice, ['h', '1–9']],
      [t.addTag, ['l']],
      [t.pin, ['p']],
      [t.spam, ['!']],
      [t.deleteItem, ['#']],
      [t.readOrUnread, ['u']],
      [t.star, ['s']],
      [t.replies, ['r', 'a', 'f']],
      [t.newEmail, ['c']],
    ],
  },
  {
    title: t.pages.calendar,
    shortcuts: [
      [t.newEvent, ['c']],
      [t.today, ['t']],
      [t.goToDate, ['g', 'g']],
      [t.forwardAndBack, ['j', 'k']],
      [t.calendarViews, ['d', 'w', 'm', 'y', 'a']],
      [t.editEvent, ['e']],
      [t.deleteItem, [t.deleteKey]],
      [t.moveEvent, [`${ALT}+${t.arrowKeys}`]],
      [t.changeEnd, [`${t.shiftKey}+${t.arrowKeys}`]],
      [t.changeStart, [`${ALT}+${t.shiftKey}+${t.arrowKeys}`]],
      [t.toAllDay, [`${ALT}+${t.pageUpKey}`]],
      [t.toHours, [`${ALT}+${t.pageDownKey}`]],
      [t.copyEvent, [`${t.controlKey}+C`, `${t.controlKey}+V`]],
    ],
  },
  {
    title: t.pages.tasks,
    shortcuts: [
      [t.newTask, ['n']],
      [t.nextAndPrevious, ['j', 'k']],
      [t.open, ['Enter']],
      [t.completeOrReopen, ['e']],
      [t.deleteItem, ['#']],
      [t.select, ['x']],
      [t.dueTodayOrTomorrow, ['t', 'm']],
      [t.dueWeekendOrNextWeek, ['w', `${t.shiftKey}+w`]],
      [t.noDueDate, ['0']],
      [t.addSubtask, ['s']],
      [t.changeTitle, ['F2']],
      [t.changeValues, ['d', 'p', 'l', 'a']],
      [t.indentAndOutdent, ['Tab', `${t.shiftKey}+Tab`]],
      [t.moveTask, ['Alt+↑', 'Alt+↓']],
      [t.foldAndUnfold, ['←', '→']],
    ],
  },
]

const EVERYWHERE: Shortcuts = [
  [t.openPalette, [PALETTE_KEYS.label]],
  [t.toggleAssistant, [ASSISTANT_KEYS.label]],
  [t.quickAdd, ['q']],
  [t.searchPage, ['/']],
  [t.undoLast, ['z']],
  [t.lastNotification, ['F6']],
  [t.showShortcuts, ['?']],
  [t.submit, [`${t.controlKey}+Enter`]],
  [t.closeOverlay, ['Esc']],
]

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const Rows = ({ shortcuts }: { shortcuts: Shortcuts }) =>
  shortcuts.map(([label, keys]) => (
    <Row key={label} label={label}>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </Row>
  ))

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="shortcuts-group">
    <h3>{title}</h3>
    <dl>{children}</dl>
  </section>
)

interface HelpProps {
  open: boolean
  onClose: () => void
  enabled: boolean
  onEnable: (wanted: boolean) => void
}

export const ShortcutHelp = ({ open, onClose, enabled, onEnable }: HelpProps) => (
  <Dialog open={open} onClose={onClose} title={t.shortcuts} size="large">
    {/* First in the dialog, because it gets the initial focus and screen readers start there. */}
    <label className="check">
      <input type="checkbox" checked={enabled} onChange={(event) => onEnable(event.target.checked)} />
      <span>
        {t.singleKeys} <span className="field-hint">{t.singleKeysHint}</span>
      </span>
    </label>
    <div className="shortcuts">
      <Group title={t.everywhere}>
        {NAVIGATION.map(({ label, key }) => (
          <Row key={key} label={t.goTo(label)}>
            <RichText text={t.thenKey(key)} tags={{ kbd: (text) => <kbd>{text}</kbd> }} />
          </Row>
        ))}
        <Rows shortcuts={EVERYWHERE} />
      </Group>
      {PAGE_SHORTCUTS.map(({ title, shortcuts }) => (
        <Group key={title} title={title}>
          <Rows shortcuts={shortcuts} />
        </Group>
      ))}
    </div>
  </Dialog>
)
