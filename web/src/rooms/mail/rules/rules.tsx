import { ListFilter, PencilLine, Play, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { RuleDialog, type RuleWish } from './rule-dialog.tsx'
import { deedsInWords, type MailRule } from './rule-words.ts'
import { RunDialog } from './run-dialog.tsx'
import { useLeavingRules, useRuleDeeds, useRules } from './use-rules.ts'
import './rules.css'

const BLANK: RuleWish = { key: 'mail rule', name: '', q: '' }

interface RowProps {
  rule: MailRule
  onEdit: (rule: MailRule) => void
  onRun: (rule: MailRule) => void
}

const RuleRow = ({ rule, onEdit, onRun }: RowProps) => {
  const deeds = useRuleDeeds()
  return (
    <li data-off={!rule.enabled} data-wraps="true">
      <span className="row-icon">
        <ListFilter size={18} aria-hidden="true" />
      </span>
      <div className="row-main">
        <p className="row-title">
          <button type="button" className="row-words rule-name" onClick={() => onEdit(rule)}>
            {rule.name}
          </button>
        </p>
        <p className="row-notes">
          <code>{rule.q}</code>
        </p>
        <p className="row-notes">
          <span>{deedsInWords(rule.does)}</span>
        </p>
      </div>
      <div className="row-actions">
        <label className="rule-switch">
          <input
            type="checkbox"
            aria-label={`Apply the rule ${rule.name}`}
            checked={rule.enabled}
            onChange={({ target }) => void deeds.turn(rule, target.checked)}
          />
          <span aria-hidden="true">{rule.enabled ? 'On' : 'Off'}</span>
        </label>
        <RowMenu
          label={`Actions for ${rule.name}`}
          actions={[
            { label: 'Run now', icon: Play, onSelect: () => onRun(rule) },
            { label: 'Change', icon: PencilLine, onSelect: () => onEdit(rule) },
            { label: 'Remove', icon: Trash2, onSelect: () => deeds.remove(rule) },
          ]}
        />
      </div>
    </li>
  )
}

/** What is done by itself with mail that arrives. */
export const Rules = () => {
  const query = useRules()
  const leaving = useLeavingRules()
  const [wish, setWish] = useState<RuleWish | null>(null)
  const [running, setRunning] = useState<MailRule | null>(null)
  return (
    <Page
      title="Mail rules"
      within="Mail"
      about="What is done by itself with e-mails that arrive and fit, one rule after the other."
      above={
        <Link href="/mail" className="back">
          All mail
        </Link>
      }
    >
      <Card
        id="mail-rules"
        title="Your rules"
        aside={
          <Button kind="primary" size="small" onClick={() => setWish(BLANK)}>
            <Plus size={16} aria-hidden="true" />
            New rule
          </Button>
        }
      >
        <LoadedList
          query={query}
          itemsOf={({ mailRules }) => mailRules.filter(({ id }) => !leaving.has(id))}
          empty={
            <Empty icon={ListFilter} title="No rules yet">
              <p>Make one here, or in the menu of an e-mail that others like it should follow.</p>
            </Empty>
          }
        >
          {(rules) => (
            <ul className="rows">
              {rules.map((rule) => (
                <RuleRow key={rule.id} rule={rule} onEdit={setWish} onRun={setRunning} />
              ))}
            </ul>
          )}
        </LoadedList>
      </Card>
      <RuleDialog wish={wish} onClose={() => setWish(null)} />
      <RunDialog rule={running} onClose={() => setRunning(null)} />
    </Page>
  )
}
