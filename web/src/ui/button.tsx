import { type LucideIcon, Plus } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'

interface ButtonStyle {
  kind?: 'plain' | 'primary' | 'danger' | 'warning' | 'quiet'
  size?: 'middle' | 'small'
  /** `icon`: the button has no text and needs an `aria-label`. */
  shape?: 'text' | 'icon'
  wide?: boolean
}

const toStyleProps = ({ kind = 'plain', size = 'middle', shape = 'text', wide = false }: ButtonStyle) => ({
  className: 'button',
  'data-kind': kind,
  'data-size': size,
  'data-shape': shape,
  'data-wide': wide,
})

type ButtonProps = ButtonStyle & { busy?: boolean } & Omit<ComponentProps<'button'>, 'className'>

export const Button = ({
  kind,
  size,
  shape,
  wide,
  busy = false,
  disabled,
  children,
  ...rest
}: ButtonProps) => (
  <button
    type="button"
    {...toStyleProps({
      ...(kind && { kind }),
      ...(size && { size }),
      ...(shape && { shape }),
      ...(wide && { wide }),
    })}
    data-busy={busy}
    disabled={disabled || busy}
    {...rest}
  >
    {busy && <span className="spinner" aria-hidden="true" />}
    {children}
  </button>
)

interface IconButtonProps extends Omit<ButtonProps, 'aria-label' | 'children'> {
  label: string
  icon: LucideIcon
  iconSize?: number
}

/** A small button without text. */
export const IconButton = ({ label, icon: Icon, iconSize = 17, ...rest }: IconButtonProps) => (
  <Button kind="quiet" shape="icon" size="small" aria-label={label} {...rest}>
    <Icon size={iconSize} aria-hidden="true" />
  </Button>
)

/** The button that adds an item to a list. */
export const AddButton = ({ children, ...rest }: ButtonProps) => (
  <Button size="small" {...rest}>
    <Plus size={16} aria-hidden="true" />
    {children}
  </Button>
)

interface LinkButtonProps extends ButtonStyle {
  href: string
  onClick?: () => void
  children: ReactNode
}

export const LinkButton = ({ href, onClick, children, ...look }: LinkButtonProps) => (
  <Link href={href} onClick={onClick} {...toStyleProps(look)}>
    {children}
  </Link>
)
