import { ListFilter, PencilLine, Play, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Dialog, FormDialog } from '../../../ui/dialog.tsx'
import { Loaded, LoadedList } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { type MailRuleInput, RuleDialog } from './rule-dialog.tsx'
import { countEmails, describeRuleActions, type MailRule } from './rule-words.ts'
import { useDryRun, usePendingRuleDeletions, useRuleActions, useRules } from './use-rules.ts'
import './rules.css'

/** Shows the result of a dry run before running a rule. */
const RunDialog = ({ rule, onClose }: { rule: MailRule | null; onClose: () => void }) => {
  const ruleActions = useRuleActions()
  const displayed = useLastValue(rule)
  const query = useDryRun(rule)
  const title = `Run “${displayed?.name ?? ''}” now?`
  if (rule && query.data && query.data.changed > 0) {
    const { found, changed, more } = query.data
    return (
      <FormDialog
        open
        onClose={onClose}
        title={title}
        about={
          <>
            {countEmails(found)} in your inbox {found === 1 ? 'fits' : 'fit'}
            {more && ', and older ones'}. Done with {changed === found ? 'all of them' : changed}:{' '}
            {describeRuleActions(rule.does)}. You can undo it.
          </>
        }
        action="Run now"
        savedAs={null}
        onSubmit={async () => {
          await ruleActions.run(rule)
          onClose()
        }}
      />
    )
  }
  return (
    <Dialog open={rule !== null} onClose={onClose} title={title}>
      <Loaded query={query} lines={2}>
        {({ found }) => (
          <p>
            {found === 0
              ? 'No e-mail in your inbox fits.'
              : `${countEmails(found)} in your inbox ${found === 1 ? 'fits, and is' : 'fit, and are'} as the rule says already.`}
          </p>
        )}
      </Loaded>
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}

const BLANK: MailRuleInput = { key: 'mail rule', name: '', q: '' }

interface RowProps {
  rule: MailRule
  onEdit: (rule: MailRule) => void
  onRun: (rule: MailRule) => void
}

const RuleRow = ({ rule, onEdit, onRun }: RowProps) => {
  const ruleActions = useRuleActions()
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
          <span>{describeRuleActions(rule.does)}</span>
        </p>
      </div>
      <div className="row-actions">
        <label className="rule-switch">
          <input
            type="checkbox"
            aria-label={`Apply the rule ${rule.name}`}
            checked={rule.enabled}
            onChange={({ target }) => void ruleActions.turn(rule, target.checked)}
          />
          <span aria-hidden="true">{rule.enabled ? 'On' : 'Off'}</span>
        </label>
        <RowMenu
          label={`Actions for ${rule.name}`}
          actions={[
            { label: 'Run now', icon: Play, onSelect: () => onRun(rule) },
            { label: 'Change', icon: PencilLine, onSelect: () => onEdit(rule) },
            { label: 'Remove', icon: Trash2, onSelect: () => ruleActions.remove(rule) },
          ]}
        />
      </div>
    </li>
  )
}

/** Rules for incoming mail. */
export const Rules = () => {
  const query = useRules()
  const pendingDeletions = usePendingRuleDeletions()
  const [ruleInput, setRuleInput] = useState<MailRuleInput | null>(null)
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
          <Button kind="primary" size="small" onClick={() => setRuleInput(BLANK)}>
            <Plus size={16} aria-hidden="true" />
            New rule
          </Button>
        }
      >
        <LoadedList
          query={query}
          itemsOf={({ mailRules }) => mailRules.filter(({ id }) => !pendingDeletions.has(id))}
          empty={
            <Empty icon={ListFilter} title="No rules yet">
              <p>Make one here, or in the menu of an e-mail that others like it should follow.</p>
            </Empty>
          }
        >
          {(rules) => (
            <ul className="rows">
              {rules.map((rule) => (
                <RuleRow key={rule.id} rule={rule} onEdit={setRuleInput} onRun={setRunning} />
              ))}
            </ul>
          )}
        </LoadedList>
      </Card>
      <RuleDialog ruleInput={ruleInput} onClose={() => setRuleInput(null)} />
      <RunDialog rule={running} onClose={() => setRunning(null)} />
    </Page>
  )
}
