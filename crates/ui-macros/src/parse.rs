//! Reads the markup of `view!`.

use proc_macro2::{Punct, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Ident, LitStr, Path, Result, Token, braced, token};

/// What stands one after the other.
pub(crate) struct Nodes(pub(crate) Vec<Node>);

/// Something in a view.
pub(crate) enum Node {
    Element(Element),
    /// `{…}`
    Block(TokenStream),
    /// A text in quotes.
    Text(LitStr),
}

/// An element of the page, or a component, whose name begins with a capital.
pub(crate) struct Element {
    pub(crate) name: Path,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) children: Vec<Node>,
}

/// `name=value`, or `name` alone.
pub(crate) struct Attribute {
    /// As it is written, with `-` and `:`.
    pub(crate) name: String,
    /// The first word of the name, where a component is given a variable of the same name.
    pub(crate) word: Ident,
    pub(crate) value: Option<Expr>,
}

impl Element {
    pub(crate) fn is_component(&self) -> bool {
        let last = self.name.segments.last().map(|segment| segment.ident.to_string());
        last.is_some_and(|name| name.starts_with(char::is_uppercase))
    }
}

impl Parse for Nodes {
    fn parse(input: ParseStream<'_>) -> Result<Nodes> {
        let mut nodes = Vec::new();
        let at_end = |input: ParseStream<'_>| input.is_empty() || input.peek(Token![<]) && input.peek2(Token![/]);
        while !at_end(input) {
            nodes.push(input.parse()?);
        }
        Ok(Nodes(nodes))
    }
}

impl Parse for Node {
    fn parse(input: ParseStream<'_>) -> Result<Node> {
        if input.peek(Token![<]) {
            Ok(Node::Element(input.parse()?))
        } else if input.peek(token::Brace) {
            let content;
            braced!(content in input);
            Ok(Node::Block(content.parse()?))
        } else if input.peek(LitStr) {
            Ok(Node::Text(input.parse()?))
        } else {
            Err(input.error("expected an element, a block in braces or a text in quotes"))
        }
    }
}

impl Parse for Element {
    fn parse(input: ParseStream<'_>) -> Result<Element> {
        input.parse::<Token![<]>()?;
        let name = Path::parse_mod_style(input)?;
        let (attributes, is_closed) = parse_attributes(input)?;
        let mut children = Vec::new();
        if !is_closed {
            Nodes(children) = input.parse()?;
            input.parse::<Token![<]>()?;
            input.parse::<Token![/]>()?;
            let end = Path::parse_mod_style(input)?;
            input.parse::<Token![>]>()?;
            if end.to_token_stream().to_string() != name.to_token_stream().to_string() {
                let (end_name, name) = (end.to_token_stream(), name.to_token_stream());
                return Err(syn::Error::new_spanned(end, format!("</{end_name}> ends <{name}>")));
            }
        }
        Ok(Element { name, attributes, children })
    }
}

/// Reads up to the `>` of a tag; whether it ends with `/>`.
///
/// A `>` may also belong to a value. The first one before which there are whole attributes ends the tag, so a comparison
/// needs braces.
fn parse_attributes(input: ParseStream<'_>) -> Result<(Vec<Attribute>, bool)> {
    let mut tokens: Vec<TokenTree> = Vec::new();
    let mut problem = None;
    while !input.is_empty() {
        let token: TokenTree = input.parse()?;
        let is_arrow = tokens.last().is_some_and(|last| is_joint(last, '-') || is_joint(last, '='));
        if is_punct(&token, '>') && !is_arrow {
            let is_closed = tokens.last().is_some_and(|last| is_punct(last, '/'));
            let length = tokens.len() - usize::from(is_closed);
            let attributes = tokens[..length].iter().cloned().collect::<TokenStream>();
            match syn::parse2::<Attributes>(attributes) {
                Ok(Attributes(attributes)) => return Ok((attributes, is_closed)),
                Err(error) => problem = problem.or(Some(error)),
            }
        }
        tokens.push(token);
    }
    Err(problem.unwrap_or_else(|| input.error("expected the end of a tag")))
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn is_joint(token: &TokenTree, sign: char) -> bool {
    let joint = |punct: &Punct| punct.as_char() == sign && punct.spacing() == Spacing::Joint;
    matches!(token, TokenTree::Punct(punct) if joint(punct))
}

struct Attributes(Vec<Attribute>);

impl Parse for Attributes {
    fn parse(input: ParseStream<'_>) -> Result<Attributes> {
        let mut attributes = Vec::new();
        while !input.is_empty() {
            attributes.push(input.parse()?);
        }
        Ok(Attributes(attributes))
    }
}

impl Parse for Attribute {
    fn parse(input: ParseStream<'_>) -> Result<Attribute> {
        let word = Ident::parse_any(input)?;
        let mut name = word.unraw().to_string();
        loop {
            if input.peek(Token![-]) {
                input.parse::<Token![-]>()?;
                name.push('-');
            } else if input.peek(Token![:]) {
                input.parse::<Token![:]>()?;
                name.push(':');
            } else {
                break;
            }
            name.push_str(&Ident::parse_any(input)?.unraw().to_string());
        }
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Some(input.parse()?)
        } else {
            None
        };
        Ok(Attribute { name, word, value })
    }
}
