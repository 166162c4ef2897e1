//===- TileSignatures.cpp - reads the signatures of functions from the AST ----------------------------------------===//
//
// TileGenerator.cpp calls these functions for what its code generator has emitted: builtins, kernels, and functions
// that other sources call.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/TileSignatures.h"
#include "frontend/TileGenerator.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace tilecc {

//===--- values ---------------------------------------------------------------------------------------------------===//

/// Returns true for the class or class template of that name in namespace tt.
static bool isOurs(const CXXRecordDecl *record, llvm::StringRef name) {
  if (!record || !record->getIdentifier() || record->getName() != name)
    return false;
  const auto *ns = dyn_cast<NamespaceDecl>(record->getDeclContext()->getRedeclContext());
  return ns && ns->getName() == "tt" && ns->getParent()->isTranslationUnit();
}

static ElementType getElementType(const ASTContext &context, QualType type) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (const auto *enumType = type->getAs<EnumType>())
    type = enumType->getDecl()->getIntegerType();
  unsigned bits =
      type->isVoidType() || type->isDependentType() || type->isIncompleteType() ? 0 : context.getTypeSize(type);
  if (type->isBooleanType())
    return {ElementType::Bool, 1};
  if (type->isIntegerType() && bits <= 64)
    return {type->isSignedIntegerType() ? ElementType::Signed : ElementType::Unsigned, bits};
  if (type->isBFloat16Type())
    return {ElementType::BFloat, 16};
  if (type->isRealFloatingType() && bits <= 64)
    return {ElementType::Float, bits};
  if (const CXXRecordDecl *record = type->getAsCXXRecordDecl(); record && bits == 8) {
    if (isOurs(record, "float8_e4m3fn"))
      return {ElementType::Float8E4M3FN, 8};
    if (isOurs(record, "float8_e5m2"))
      return {ElementType::Float8E5M2, 8};
  }
  return {};
}

static ValueType getScalarType(const ASTContext &context, QualType type) {
  ValueType result;
  type = type.getCanonicalType();
  if (type->isReferenceType() || type->isAnyPointerType() || type->isNullPtrType()) {
    result.isPointer = true;
    type = type->isNullPtrType() ? context.VoidTy : type->getPointeeType();
  }
  result.element = getElementType(context, type);
  if (result.isPointer && type->isAnyPointerType()) // in memory, a pointer is an integer address
    result.element = {ElementType::Unsigned, 64};
  return result;
}

/// Returns the class if the type is a tile or a tensor descriptor, which are the classes with an element type and a
/// shape.
static const ClassTemplateSpecializationDecl *asShaped(QualType type) {
  const auto *record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  return isOurs(record, "tensor") || isOurs(record, "descriptor_handle") ? record : nullptr;
}

ValueType getValueType(const ASTContext &context, QualType type) {
  type = type.getCanonicalType();
  const ClassTemplateSpecializationDecl *shaped = asShaped(type);
  if (!shaped)
    return getScalarType(context, type);
  ValueType result = getScalarType(context, shaped->getTemplateArgs()[0].getAsType());
  result.isDescriptor = isOurs(shaped, "descriptor_handle");
  result.isTile = !result.isDescriptor;
  const auto *shape =
      cast<ClassTemplateSpecializationDecl>(shaped->getTemplateArgs()[1].getAsType()->getAsCXXRecordDecl());
  for (const TemplateArgument &dim : shape->getTemplateArgs()[0].pack_elements())
    result.shape.push_back(dim.getAsIntegral().getSExtValue());
  return result;
}

/// Returns the string in a class that wraps an array of characters, up to its terminating zero.
static std::string getLiteral(const APValue &value) {
  std::string text;
  if (value.isStruct() && value.getStructNumFields() == 1 && value.getStructField(0).isArray()) {
    const APValue &chars = value.getStructField(0);
    for (unsigned i = 0; i < chars.getArrayInitializedElts(); ++i)
      if (char c = static_cast<char>(chars.getArrayInitializedElt(i).getInt().getExtValue()))
        text += c;
  }
  return text;
}

static void collectArguments(const ASTContext &context, llvm::ArrayRef<TemplateArgument> args,
                             BuiltinSignature &builtin) {
  for (const TemplateArgument &arg : args) {
    if (arg.getKind() == TemplateArgument::Integral) {
      builtin.constants.push_back(arg.getAsIntegral().getSExtValue());
    } else if (arg.getKind() == TemplateArgument::Pack) {
      collectArguments(context, arg.getPackAsArray(), builtin);
    } else if (arg.getKind() == TemplateArgument::Type) {
      builtin.types.push_back(getValueType(context, arg.getAsType()));
    } else if (arg.getKind() == TemplateArgument::Declaration) {
      if (const auto *object = dyn_cast<TemplateParamObjectDecl>(arg.getAsDecl()))
        builtin.strings.push_back(getLiteral(object->getValue()));
    }
  }
}

bool isBuiltin(const FunctionDecl *function) {
  const auto *ns = dyn_cast<NamespaceDecl>(function->getDeclContext()->getRedeclContext());
  const auto *outer = ns ? dyn_cast<NamespaceDecl>(ns->getParent()) : nullptr;
  return outer && ns->getName() == "builtin" && outer->getName() == "tt" && outer->getParent()->isTranslationUnit();
}

BuiltinSignature getBuiltin(const ASTContext &context, const FunctionDecl *function) {
  BuiltinSignature builtin;
  builtin.name = function->getNameAsString();
  builtin.result = getValueType(context, function->getReturnType());
  for (const ParmVarDecl *param : function->parameters())
    builtin.params.push_back(getValueType(context, param->getType()));
  if (const TemplateArgumentList *args = function->getTemplateSpecializationArgs())
    collectArguments(context, args->asArray(), builtin);
  return builtin;
}

Place getPlace(const ASTContext &context, const Decl *decl) {
  const SourceManager &sources = context.getSourceManager();
  PresumedLoc loc = sources.getPresumedLoc(sources.getExpansionLoc(decl->getLocation()));
  return loc.isValid() ? Place{loc.getFilename(), loc.getLine(), loc.getColumn()} : Place();
}

KernelSignature getKernel(const ASTContext &context, const FunctionDecl *function) {
  KernelSignature kernel;
  kernel.place = getPlace(context, function);
  for (const ParmVarDecl *param : function->parameters()) {
    KernelSignature::Param &p = kernel.params.emplace_back();
    p.name = param->getNameAsString();
    if (p.name.empty())
      p.name = "arg" + std::to_string(kernel.params.size() - 1);
    p.type = getValueType(context, param->getType());
    if (const CXXRecordDecl *record = param->getType()->getAsCXXRecordDecl())
      p.isEmpty = record->isEmpty();
    if (const AnnotateAttr *divisible = findAnnotation(param, "tt.divisible"))
      p.divisible = getAnnotationValue(divisible, context);
    p.noSpecialize = findAnnotation(param, "tt.no_specialize") != nullptr;
    p.isRestrict = param->getType().isRestrictQualified();
    p.isTemporary = findAnnotation(param, "tt.temporary") != nullptr;
  }
  return kernel;
}

//===--- functions of other sources -------------------------------------------------------------------------------===//

/// Limits the number of members of a value that is passed between sources.
static constexpr size_t maxParts = 256;

/// Appends the parts of a value of `type` at `offset`. If that is impossible, returns the reason; otherwise returns an
/// empty string.
static std::string collectParts(const ASTContext &context, QualType type, uint64_t offset,
                                std::vector<ValuePart> &parts) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (parts.size() >= maxParts)
    return "has more than " + std::to_string(maxParts) + " members";
  if (type->isFunctionPointerType() || type->isMemberPointerType())
    return "is a pointer to a function or member";
  if (const auto *array = context.getAsConstantArrayType(type)) {
    uint64_t size = context.getTypeSizeInChars(array->getElementType()).getQuantity();
    for (uint64_t i = 0, count = array->getSize().getZExtValue(); i < count; ++i)
      if (std::string why = collectParts(context, array->getElementType(), offset + i * size, parts); !why.empty())
        return why;
    return {};
  }
  ValueType value = getValueType(context, type);
  if (!value.isVoid()) {
    parts.push_back({value, offset});
    return {};
  }
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || record->isUnion())
    return record ? "is a union" : "is no number, pointer, tile or class of these";
  if (!type.isTriviallyCopyableType(context))
    return "is not trivially copyable";
  const ASTRecordLayout &layout = context.getASTRecordLayout(record);
  for (const CXXBaseSpecifier &base : record->bases()) {
    uint64_t at = layout.getBaseClassOffset(base.getType()->getAsCXXRecordDecl()).getQuantity();
    if (std::string why = collectParts(context, base.getType(), offset + at, parts); !why.empty())
      return why;
  }
  for (const FieldDecl *field : record->fields()) {
    if (field->isBitField() || field->getType()->isReferenceType())
      return "has a bit-field or a reference as a member";
    uint64_t at = layout.getFieldOffset(field->getFieldIndex()) / context.getCharWidth();
    if (std::string why = collectParts(context, field->getType(), offset + at, parts); !why.empty())
      return why;
  }
  return {};
}

static std::string spellFunction(const ASTContext &context, const FunctionDecl *function) {
  std::string text;
  llvm::raw_string_ostream os(text);
  function->getNameForDiagnostic(os, context.getPrintingPolicy(), /*Qualified=*/true);
  os << '(';
  for (const ParmVarDecl *param : function->parameters())
    os << (param == *function->param_begin() ? "" : ", ") << param->getType().getAsString(context.getPrintingPolicy());
  os << ')';
  return text;
}

TileFunctionSignature getTileFunction(const ASTContext &context, const FunctionDecl *function) {
  TileFunctionSignature result;
  result.place = getPlace(context, function);
  result.name = spellFunction(context, function);
  auto add = [&](std::string name, QualType type, bool isReference) {
    TileFunctionSignature::Param &param = result.params.emplace_back();
    param.name = std::move(name);
    param.isReference = isReference;
    param.isConst = type.isConstQualified();
    if (std::string why = collectParts(context, type, 0, param.parts); !why.empty() && result.whyNot.empty())
      result.whyNot = (param.name == "this" ? "its object " : "its parameter '" + param.name + "' ") + why;
  };
  if (const auto *method = dyn_cast<CXXMethodDecl>(function); method && method->isInstance())
    add("this", method->getFunctionObjectParameterType(), /*isReference=*/true);
  for (const ParmVarDecl *param : function->parameters()) {
    bool isReference = param->getType()->isReferenceType();
    std::string name = param->getNameAsString();
    add(name.empty() ? "arg" + std::to_string(result.params.size()) : name, param->getType().getNonReferenceType(),
        isReference);
  }
  QualType type = function->getReturnType();
  if (type->isReferenceType())
    result.whyNot = "it returns a reference";
  else if (std::string why = type->isVoidType() ? "" : collectParts(context, type, 0, result.results);
           !why.empty() && result.whyNot.empty())
    result.whyNot = "its result " + why;
  return result;
}

} // namespace tilecc
